type Value = string | number | boolean | null | undefined;

export function buildQuery(params: Readonly<Record<string, Value | readonly Value[]>>): string {
  const parts: string[] = [];
  for (const key of Object.keys(params).sort()) {
    for (const value of [params[key]].flat()) {
      if (value === undefined) continue;
      parts.push(`${encodeURIComponent(key)}=${encodeURIComponent(value === null ? '' : String(value))}`);
    }
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
