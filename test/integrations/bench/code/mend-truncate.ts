export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit < 1) return '';
  const kept = text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '');
  return `${kept.trimEnd()}…`;
}
