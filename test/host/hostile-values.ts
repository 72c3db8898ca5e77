/** Values that throw when code converts, reads or prints them, or that are none of what an option takes. */
export function hostileValues(): ReadonlyMap<string, unknown> {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const fail = () => {
    throw new Error('hostile');
  };
  let nested: unknown = 1;
  for (let depth = 0; depth < 20_000; depth++) nested = [nested];
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  return new Map<string, unknown>([
    ['a symbol', Symbol('hostile')],
    ['a bigint', 10n],
    ['an object without a prototype', Object.create(null)],
    ['a revoked proxy', proxy],
    ['a proxy that throws', new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail })],
    ['an object that throws when printed', { toString: fail, valueOf: fail, toJSON: fail }],
    ['a getter that throws', Object.defineProperty({}, 'length', { get: fail, enumerable: true })],
    ['20,000 lists in each other', nested],
    ['an object that holds itself', cycle],
    ['a function', fail],
    ['100,000 characters', 'x'.repeat(100_000)],
    ['null', null],
    ['NaN', Number.NaN],
    ['a lone surrogate', '\ud800'],
  ]);
}
