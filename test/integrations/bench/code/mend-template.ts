const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function render(template: string, values: object): string {
  const tag = /\\\{\{|\{\{\{ *(\w+(?:\.\w+)*) *\}\}\}|\{\{ *(\w+(?:\.\w+)*) *\}\}/g;
  return template.replace(tag, (found: string, raw?: string, path?: string) => {
    if (raw !== undefined) return textAt(values, raw);
    if (path !== undefined) return textAt(values, path).replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
    return found.slice(1);
  });
}

function textAt(values: object, path: string): string {
  let value: unknown = values;
  for (const name of path.split('.')) {
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    value = isInside ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value === undefined || value === null ? '' : String(value);
}
