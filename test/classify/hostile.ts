/** Texts made to make pattern matching slow, `size` units long. */
export function hostileTexts(size: number): readonly string[] {
  const pieces = [
    'a',
    'A',
    '1.',
    ':',
    '"',
    '(((',
    '<',
    '</',
    '<style',
    '[[',
    '{"a":',
    '{"query":"',
    "'",
    '\\"',
    ' not',
    'rate limit ',
    'model ',
    'model a ',
    '429 ',
    '/',
    '.a',
    'é',
    '请',
    '요청',
    '\ud800',
    '\0',
    '\u001b[',
    '\\u00',
    '\ufdfa',
    'retry after ',
    'wait 1 ',
    '=1',
    'aA',
  ];
  return pieces.map((piece) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size));
}

/** Objects that fight back. */
export function hostileObjects(): readonly unknown[] {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const throwing = new Proxy(
    {},
    {
      get() {
        throw new Error('no');
      },
      has() {
        throw new Error('no');
      },
      ownKeys() {
        throw new Error('no');
      },
      getPrototypeOf() {
        throw new Error('no');
      },
    },
  );
  const cyclic: Record<string, unknown> = { message: 'x' };
  cyclic.cause = cyclic;
  cyclic.error = [cyclic, cyclic];
  const endless: unknown = new Proxy(() => 1, { get: () => endless, apply: () => endless });
  const endlessObject: object = new Proxy({}, { get: () => endlessObject });
  const wide = { errors: Array.from({ length: 100_000 }, () => ({ errors: [{}], message: 'x'.repeat(1000) })) };
  let deep: object = {};
  for (let level = 0; level < 100_000; level++) deep = { cause: deep, error: deep };
  const values = [
    null,
    undefined,
    0,
    Number.NaN,
    429,
    10n,
    true,
    Symbol('s'),
    () => 1,
    '',
    [],
    {},
    new Date(Number.NaN),
    new Map(),
  ];
  return [
    ...values,
    revoked.proxy,
    throwing,
    cyclic,
    endless,
    endlessObject,
    wide,
    deep,
    { headers: throwing, status: throwing },
  ];
}
