import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openSandbox, QuickJsSandbox } from 'rsi-loop/sandbox';
import { afterAll, describe, expect, it } from 'vitest';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const program = (code: string, language: 'javascript' | 'typescript' = 'javascript') => ({
  language,
  code,
  hash: code,
});
const run = (code: string, options = {}) =>
  sandbox.run(program(`export default async (input, host) => { ${code} }`), null, options);

describe('a sandbox of worker threads', () => {
  it('runs TypeScript', async () => {
    const code = `
      interface Row { readonly amount: number }
      enum Kind { Sum = 'sum' }
      export default (rows: readonly Row[]): object => ({ [Kind.Sum]: rows.reduce((sum, { amount }) => sum + amount, 0) });`;
    const answer = await sandbox.run(program(code, 'typescript'), [{ amount: 1 }, { amount: 2 }]);
    expect(answer).toMatchObject({ kind: 'answer', output: { sum: 3 } });
  });

  it('says what is wrong with TypeScript that cannot be parsed', async () => {
    const answer = await sandbox.run(program('export default (a: number => a', 'typescript'), null);
    expect(answer).toMatchObject({ kind: 'failed', reason: 'error' });
  });

  it('never runs other code because of a wrong hash', async () => {
    const typed = (code: string) => sandbox.run({ language: 'typescript', code, hash: 'same' }, null);
    expect(await typed('export default (): number => 1')).toMatchObject({ output: 1 });
    expect(await typed('export default (): number => 2')).toMatchObject({ output: 2 });
  });

  it('draws the same numbers from the same seed', async () => {
    const draw = 'return [Math.random(), host.random()]';
    const [one, same, other] = [
      await run(draw, { seed: 5 }),
      await run(draw, { seed: 5 }),
      await run(draw, { seed: 6 }),
    ];
    expect(one).toMatchObject({ kind: 'answer', calls: [{ function: 'random', times: 2 }] });
    expect(same).toMatchObject({ output: one.kind === 'answer' ? one.output : [] });
    expect(other).not.toMatchObject({ output: one.kind === 'answer' ? one.output : [] });
  });

  it('keeps the log and the calls of a failed run', async () => {
    const answer = await run(`console.log('before', { a: 1 }); await host.http.get('http://example.com/')`);
    const message = 'http.get: the host example.com is not allowed';
    expect(answer).toMatchObject({
      reason: 'refused',
      message: `HostError: ${message}`,
      log: ['before {"a":1}'],
      calls: [{ function: 'http.get', target: 'http://example.com/', result: 'refused', message, times: 1 }],
    });
  });

  it('ends a run when its caller stops it, also one that is busy or waits for a thread', async () => {
    const abort = new AbortController();
    const one = new QuickJsSandbox({ workers: 1 });
    const endless = program('export default () => { for (;;); }');
    const answers = [1, 2].map(() => one.run(endless, null, { signal: abort.signal, limits: { timeMs: 60_000 } }));
    const other = one.run(program('export default () => 1'), null);
    abort.abort();
    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ kind: 'failed', reason: 'stopped' });
    expect(await other).toMatchObject({ output: 1 });
    await one.close();
  });

  it('runs more programs than it has threads', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => run(`return ${index} + 1`)));
    expect(answers.map((answer) => answer.kind === 'answer' && answer.output)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
  });

  it('replaces a thread that had to be ended', async () => {
    const one = new QuickJsSandbox({ workers: 1 });
    const stuck = program('export default () => { const a = []; a.length = 2 ** 32 - 1; a.sort() }');
    const answers = [
      one.run(stuck, null, { limits: { timeMs: 50 } }),
      one.run(program('export default () => 1'), null),
    ];
    expect(await Promise.all(answers)).toMatchObject([{ reason: 'timeout' }, { output: 1 }]);
    await one.close();
  });

  it('ends its runs when it is closed, and takes no more', async () => {
    const one = new QuickJsSandbox();
    const running = one.run(program('export default () => { for (;;); }'), null, { limits: { timeMs: 60_000 } });
    await one.close();
    await one.close();
    expect(await running).toMatchObject({ kind: 'failed', reason: 'stopped' });
    await expect(one.run(program('export default () => 1'), null)).rejects.toMatchObject({ code: 'closed' });
  });

  it.each([
    [{ limits: { timeMs: 0 } }, 'limits.timeMs is 0: give a whole number from 10 to 3600000'],
    [{ limits: { memory: 1 } }, 'memory is not a limit: give timeMs, memoryBytes, stackBytes, outputBytes, calls'],
    [{ allow: { hosts: ['*'] } }, 'cannot allow the host "*"'],
    [{ allow: { hosts: ['http://a.com/x'] } }, 'cannot allow the host "http://a.com/x"'],
    [{ allow: { read: './data' } }, 'allow.read is "./data": give a list of texts'],
    [{ seed: 0.5 }, 'seed is 0.5: give a whole number'],
  ])('rejects the options %j', async (options, message) => {
    const error = await sandbox
      .run(program('export default () => 1'), null, options as object)
      .catch((reason) => reason);
    expect(error).toMatchObject({ code: 'invalid-input' });
    expect(error.message).toContain(message);
  });

  it('lets the process end while its threads wait', async () => {
    const script = `
      const { QuickJsSandbox } = await import('./integrations/skills/sandboxes/index.ts');
      const sandbox = new QuickJsSandbox();
      const { output } = await sandbox.run({ language: 'javascript', code: 'export default () => 42', hash: '' }, null);
      console.log(output);`;
    const root = join(import.meta.dirname, '../../../..');
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { cwd: root });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    const code = await new Promise((resolve) => child.on('exit', resolve));
    expect([code, text]).toEqual([0, '42\n']);
  });
});
