const VERSION =
  /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z.-]+)?$/;

export function compareVersions(a: string, b: string): number {
  const [first, second] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < Math.max(first.length, second.length); index++) {
    const order = compareParts(first[index], second[index], index);
    if (order !== 0) return order;
  }
  return 0;
}

function partsOf(version: string): string[] {
  const [, major = '', minor = '', patch = '', prerelease] = VERSION.exec(version) ?? [];
  const identifiers = prerelease?.split('.') ?? [];
  if (major === '' || identifiers.some((part) => /^0\d+$/.test(part))) throw new RangeError(`no version: ${version}`);
  return [major, minor, patch, ...identifiers];
}

function compareParts(a: string | undefined, b: string | undefined, index: number): number {
  if (a === b) return 0;
  // The fourth part is the first of a prerelease, and a release has none.
  if (a === undefined) return index === 3 ? 1 : -1;
  if (b === undefined) return index === 3 ? -1 : 1;
  const areNumbers = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
  if (areNumbers[0] && a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}
