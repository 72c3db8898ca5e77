import { classifyError, RSILoop, redact } from 'rsi-loop';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostileValues } from './hostile-values.js';

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
