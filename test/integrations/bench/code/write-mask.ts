export function mask(text: string, secrets: readonly string[]): string {
  const ordered = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  if (ordered.length === 0) return text;
  const escaped = ordered.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return text.replace(new RegExp(escaped.join('|'), 'g'), '***');
}
