import { ProcessSandbox } from 'rsi-loop/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoopMeter } from '../campaigns/loop-meter.js';
import { attempt, type Escape, fails, gives, problemOf } from './sandbox/escape.js';
import { Place, SECRET } from './sandbox/place.js';
import { PROCESS_ESCAPES } from './sandbox/process-escapes.js';
import { TEXT_ESCAPES } from './sandbox/text-escapes.js';

const place = new Place();
const limits = { timeMs: 8_000, outputBytes: 20_000 };
const options = { limits, allow: { read: [place.data] } };

const sandbox = new ProcessSandbox();
/** Whether programs can be isolated here. Without namespaces, only the refusal can be tested. */
const isolates = await sandbox
  .run({ language: 'javascript', code: 'export default () => 1', hash: '' }, null, options)
  .then(
    () => true,
    () => false,
  );
const READ = `(await import('node:fs')).readFileSync`;

const ESCAPES: readonly Escape[] = [
  attempt(
    'an answer',
    `host.log('hello'); return [input, await host.files.read('${place.data}/a.txt')]`,
    gives([7, 'allowed']),
    { input: 7 },
  ),
  attempt('a file that is not allowed', `return ${READ}('${place.base}/secret.txt', 'utf8')`, fails('error')),
  attempt('a file through a link', `return ${READ}('${place.data}/link', 'utf8')`, fails('error')),
  attempt('a file above', `return ${READ}('${place.data}/../secret.txt', 'utf8')`, fails('error')),
  attempt('passwords', `return ${READ}('/etc/passwd', 'utf8')`, fails('error')),
  attempt(
    'the environment',
    `return Object.keys(process.env).filter((name) => !['PATH', 'HOME', 'TMPDIR', 'LANG', 'PWD'].includes(name))`,
    gives([]),
  ),
  attempt(
    'writing to an allowed folder',
    `(await import('node:fs')).writeFileSync('${place.data}/b.txt', 'x')`,
    fails('error', 'refused'),
  ),
  attempt(
    'other processes',
    `return (await import('node:child_process')).execSync('ps').toString()`,
    fails('refused', 'error'),
  ),
  attempt('killing its parent', `process.kill(process.ppid, 9); process.kill(1, 9); return 'alive'`, fails('error')),
  attempt(
    'the network',
    `return await new Promise(async (resolve) => (await import('node:net')).connect(${1}, '127.0.0.1').on('error', () => resolve('no network')))`,
    gives('no network'),
  ),
  attempt('names', `return await (await import('node:dns/promises')).lookup('example.com')`, fails('error')),
  attempt('http of the host', `return await host.http.get('http://127.0.0.1/')`, fails('refused')),
  attempt('a native binding', `return process.binding('spawn_sync') && 'reached'`, fails('refused', 'error')),
  attempt('ending early', `process.exit(0)`, fails('crashed')),
  attempt('a forged end', `(await import('node:fs')).writeSync(3, '{"output":'); process.exit(0)`, fails('crashed')),
  attempt('output without end', `for (;;) console.log('x'.repeat(1e4))`, fails('output')),
  attempt('a loop', `for (;;);`, fails('timeout'), { options: { limits: { timeMs: 700 } } }),
  attempt('memory', `const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1))`, fails('memory', 'crashed'), {
    options: { limits: { timeMs: 8_000, memoryBytes: 32 << 20 } },
  }),
  attempt('deep calls', `const f = () => f() + 1; f()`, fails('stack')),
  attempt('a cycle', `const a = {}; a.a = a; return a`, fails('error')),
  attempt('__proto__', `return JSON.parse('{"__proto__":1}')`, fails('output')),
];

describe('the process sandbox', () => {
  beforeAll(() => place.start());
  afterAll(async () => {
    await sandbox.close();
    await place.remove();
  });

  it.skipIf(!isolates).each([...ESCAPES, ...PROCESS_ESCAPES].map((each) => [each.name, each] as const))(
    'holds %s',
    async (_, each) => {
      const program = { language: 'javascript', code: each.code, hash: each.code } as const;
      const answer = await sandbox.run(program, each.input ?? null, { ...options, ...each.options });
      expect(problemOf(each, answer)).toBeUndefined();
      expect(JSON.stringify(answer)).not.toContain(SECRET);
    },
  );

  it.skipIf(!isolates)('runs TypeScript without its types', async () => {
    const code = 'type Sum = { total: number };\nexport default (input: number[]): Sum => ({ total: input[0]! + 1 });';
    const answer = await sandbox.run({ language: 'typescript', code, hash: 'types' }, [41], options);
    expect(answer).toMatchObject({ kind: 'answer', output: { total: 42 } });
    const broken = await sandbox.run({ language: 'typescript', code: 'type = ;', hash: 'broken' }, null, options);
    expect(broken).toMatchObject({ kind: 'failed', reason: 'error', message: expect.stringMatching(/^SyntaxError/) });
  });

  it.skipIf(!isolates).each(['arrows in arrows', 'a megabyte of types'])(
    'removes types within the limits of the run: %s',
    async (name) => {
      const each = TEXT_ESCAPES.find((one) => one.name === name);
      await sandbox.run({ language: 'typescript', code: 'export default () => 1', hash: 'first' }, null, options);
      const meter = new LoopMeter();
      meter.start();
      const program = { language: 'typescript', code: each?.code ?? '', hash: name } as const;
      const answer = await sandbox.run(program, null, { limits: { timeMs: 300 } });
      const { busyMs, waitedMs } = meter.stop();
      expect(answer).toMatchObject({ kind: 'failed', reason: 'timeout' });
      expect(answer.durationMs - waitedMs).toBeLessThan(800);
      expect(busyMs).toBeLessThan(250);
    },
  );

  it.skipIf(!isolates)('counts calls of the host, and ends a program that calls too often', async () => {
    const read = `await host.files.read('${place.data}/a.txt')`;
    const one = `export default async (input, host) => { ${read}; host.clock(); host.clock(); return 1 }`;
    const answer = await sandbox.run({ language: 'javascript', code: one, hash: one }, null, options);
    expect(answer.calls).toMatchObject([
      { function: 'files.read', target: `${place.data}/a.txt`, result: 'ok', bytes: 7, times: 1 },
      { function: 'clock', times: 2 },
    ]);
    const code = `export default async (input, host) => { for (let at = 0; at < 5000; at++) { try { ${read} } catch {} } return 1 }`;
    const many = await sandbox.run({ language: 'javascript', code, hash: code }, null, {
      ...options,
      limits: { ...limits, calls: 20 },
    });
    expect(many).toMatchObject({ kind: 'failed', reason: 'calls' });
    expect(many.calls).toHaveLength(20);
  });

  it.skipIf(isolates)('refuses where programs cannot be isolated', async () => {
    const program = { language: 'javascript', code: 'export default () => 1', hash: '' } as const;
    await expect(sandbox.run(program, null)).rejects.toMatchObject({ code: 'sandbox-refused' });
  });
});
