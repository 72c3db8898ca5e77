import { classifyError, RSILoop, redact } from 'rsi-loop';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Values that throw when code converts, reads or prints them, or that are none of what an option takes. */
function hostileValues(): ReadonlyMap<string, unknown> {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const fail = () => {
    throw new Error('hostile');
  };
  let nested: unknown = 1;
  for (let depth = 0; depth < 20_000; depth++) nested = [nested];
  return new Map<string, unknown>([
    ['a symbol', Symbol('hostile')],
    ['a bigint', 10n],
    ['an object without a prototype', Object.create(null)],
    ['a revoked proxy', proxy],
    ['a proxy that throws', new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail })],
    ['an object that throws when printed', { toString: fail, valueOf: fail, toJSON: fail }],
    ['a getter that throws', Object.defineProperty({}, 'length', { get: fail, enumerable: true })],
    ['20,000 lists in each other', nested],
    ['a function', fail],
    ['null', null],
    ['NaN', Number.NaN],
    ['a lone surrogate', '\ud800'],
  ]);
}

const BEGIN = ['id', 'session', 'model', 'models', 'idempotent', 'tool', 'source', 'agent', 'parent', 'features'];
const OPTIONS = [...BEGIN, 'tags', 'key', 'deadlineMs', 'service', 'version', 'region', 'host', 'prompts'];
const RUN = [...OPTIONS, 'timeoutMs', 'retries'];
const FIELDS = ['success', 'error', 'issues', 'tokens', 'attempts', 'context', 'tags', 'quality', 'expected', 'actual'];

let loop: RSILoop;
beforeEach(() => {
  loop = new RSILoop();
  loop.on('problem', () => {});
});
afterEach(() => loop.close());

describe.each([...hostileValues()])('%s', (_, value) => {
  const hostile = value as never;

  it('never fails a task: as its name, as its options or as one of them', async () => {
    for (const options of [hostile, ...OPTIONS.map((name) => ({ [name]: hostile }) as never)]) {
      loop.begin('job', options).end({ success: true });
    }
    loop.begin(hostile).end({ success: true });
    for (const options of [hostile, ...RUN.map((name) => ({ [name]: hostile }) as never)]) {
      expect(await loop.run('job', () => 'done', options)).toBe('done');
    }
    expect(await loop.run(hostile, () => 'done')).toBe('done');
  });

  it('never throws as the end of a task, or as a record', () => {
    loop.begin('job').end(hostile);
    for (const name of FIELDS) {
      loop.begin('job').end({ success: false, [name]: hostile });
      loop.observer.recordSimple('job', { success: false, [name]: hostile });
      loop.observer.record({ task: 'job', success: false, [name]: hostile });
      loop.observer.read({ task: 'job', success: false, [name]: hostile });
    }
    loop.observer.record(hostile);
    loop.observer.read(hostile);
    loop.observer.recordSimple(hostile, hostile);
    loop.observer.recordFailure(hostile);
    loop.endSession(hostile, hostile);
  });

  it('never throws where a program asks for settings, advice, a class or a redacted text', () => {
    loop.policy(hostile, hostile);
    loop.advice(hostile, hostile);
    loop.fixes(hostile);
    classifyError(hostile);
    expect(typeof redact(hostile)).toBe('string');
  });
});
