export default ({ title }) => {
  const plain = title.replace(/ß/g, 'ss').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return { slug: plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') };
};
