export default ({ before, after }) => {
  const [a, b] = [before.split('\n'), after.split('\n')];
  if (a.length * b.length > 1_000_000) throw new Error('the texts have too many lines: give at most 1,000 each');
  const longest = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
  const [removed, added] = [[], []];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { i++; j++; }
    else if (j >= b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1])) removed.push(a[i++]);
    else added.push(b[j++]);
  }
  return { removed, added };
};
