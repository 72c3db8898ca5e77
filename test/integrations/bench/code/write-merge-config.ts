type Config = Record<string, unknown>;
const IGNORED = ['__proto__', 'constructor', 'prototype'];
const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function mergeConfig(base: object, override: object): object {
  const merged = copy(base, false) as Config;
  for (const [key, value] of Object.entries(override)) {
    if (IGNORED.includes(key) || value === undefined) continue;
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (value === null) delete merged[key];
    else if (isObject(value)) merged[key] = mergeConfig(isObject(before) ? before : {}, value);
    else merged[key] = copy(value, true);
  }
  return merged;
}

function copy(value: unknown, inList: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => copy(each, true));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => inList || !IGNORED.includes(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, copy(each, inList)]));
}
