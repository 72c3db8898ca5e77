export default ({ head, rows }) => {
  if (head.length === 0) throw new Error('there is no heading: give at least one');
  const cell = (text) => text.replace(/\|/g, '\\|').replace(/\s*\n\s*/g, ' ');
  const all = [head, ...rows].map((row) => head.map((_, at) => cell(row[at] ?? '')));
  const widths = head.map((_, at) => Math.max(3, ...all.map((row) => row[at].length)));
  const line = (row) => '| ' + row.map((text, at) => text.padEnd(widths[at])).join(' | ') + ' |';
  const [first, ...rest] = all;
  return { markdown: [line(first), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n') };
};
