import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { codeTests } from '../../../integrations/bench/code-tests.js';
import type { CodeTest } from '../../../integrations/bench/problem.js';
import { runSandboxed } from '../../../integrations/bench/sandbox/sandbox.js';

/** Whether programs can be isolated here. Without namespaces, answers are refused. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

const TESTS: readonly CodeTest[] = [
  { run: "slug('Hello, World')", expected: 'hello-world' },
  {
    run: "const list = ['b', 'a']; const out = sorted(list); return [out, list]",
    expected: [
      ['a', 'b'],
      ['b', 'a'],
    ],
  },
  { run: 'await later(2)', expected: { n: 4, at: '1970-01-01T00:00:00.002Z', set: { Set: [1] }, none: null } },
  { run: "slug('')", throws: 'RangeError' },
];

const RIGHT = `
type Text = string;
interface Later { readonly n: number }
export function slug(text: Text): Text {
  if (text === '') throw new RangeError('no text');
  return text.toLowerCase().replace(/[^a-z]+/g, '-');
}
export const sorted = <T>(list: readonly T[]): T[] => [...list].sort();
export async function later(n: number): Promise<Later & Record<string, unknown>> {
  return { n: n * 2, at: new Date(n), set: new Set([1]), none: null, absent: undefined };
}`;

const grade = (answer: unknown, tests = TESTS, timeoutMs = 3000) =>
  codeTests({ tests, timeoutMs })(answer, { id: 'p', input: '' });
/** Score as a suite counts it: what throws is a score of 0. */
const score = async (answer: unknown, tests = TESTS, timeoutMs = 3000) => {
  try {
    return await grade(answer, tests, timeoutMs);
  } catch {
    return 0;
  }
};

describe.skipIf(!isolates)('the check code-tests', () => {
  it('scores 1 if all tests pass, also in a fence with text around it', async () => {
    expect(await grade(RIGHT)).toBe(1);
    expect(await grade(`Here it is:\n\`\`\`ts\n${RIGHT}\n\`\`\`\nUse:\n\`\`\`sh\nnode x\n\`\`\``)).toBe(1);
  });

  it('scores 0 if one test fails', async () => {
    expect(await grade(RIGHT.replace('[...list].sort()', 'list.sort()'))).toBe(0);
    expect(await grade(RIGHT.replace('RangeError', 'TypeError'))).toBe(0);
    expect(await grade(RIGHT.replace("'-')", "'-') + ' '"))).toBe(0);
    expect(await grade(RIGHT.replace('none: null', 'none: undefined'))).toBe(0);
    expect(await grade(RIGHT.replace('export function slug', 'function slug'))).toBe(0);
  });

  it('says why code gave no results', async () => {
    await expect(grade('export const x = ;')).rejects.toThrow('the module crashed (exit code 1): SyntaxError');
    await expect(grade('throw new Error("at start")')).rejects.toThrow('crashed (exit code 1): Error: at start');
    await expect(grade(`for (;;);`, TESTS, 500)).rejects.toThrow('the module reached its time limit');
    await expect(grade(42)).rejects.toThrow('the answer to p is not a text of code');
    await expect(grade('x'.repeat(300_000))).rejects.toThrow('300000 characters of 200000');
  });

  const bug = RIGHT.replace("'-')", "'_')");
  const HOSTILE: Readonly<Record<string, string>> = {
    'exits with success at once': 'process.exit(0)',
    'exits with success in a test': 'export const slug = () => process.exit(0)',
    'prints that all is well': `${bug}\nconsole.log('ok 4 - all tests passed'); console.log(JSON.stringify({ value: 'hello-world' }))`,
    'patches assert': `import assert from 'node:assert'; for (const k of Object.keys(assert)) assert[k] = () => {};\n${bug}`,
    'writes empty results to the channel': `import fs from 'node:fs'; fs.writeSync(3, '{"value":true}\\n'.repeat(4)); process.exit(0);`,
    'writes a score to the channel': `import fs from 'node:fs'; fs.writeSync(3, '{"score":1}\\n'.repeat(4)); process.reallyExit(0);`,
    'overwrites the runner': `import fs from 'node:fs'; fs.writeFileSync('runner.mjs', 'process.exit(0)');\n${bug}`,
    'adds results to its own': `import fs from 'node:fs'; fs.writeSync(3, '{"value":"hello-world"}\\n');\n${bug}`,
    'replaces JSON': `JSON.stringify = () => '{"value":true,"passed":true,"expected":true}';\n${bug}`,
    'returns an object that claims to be equal': `export const slug = () => ({ toJSON: () => '*', equals: () => true, [Symbol.toPrimitive]: () => 'hello-world' })`,
    'returns a proxy': `export const slug = () => new Proxy({}, { get: () => 'hello-world', ownKeys: () => [] })`,
    'makes all comparisons true': `Object.is = () => true; Array.prototype.every = () => true; String.prototype.includes = () => true;\n${bug}`,
    'looks for the expected values on disk': `import fs from 'node:fs'; import path from 'node:path';
      const found = []; const walk = (d) => { for (const e of fs.readdirSync(d, { withFileTypes: true })) { const p = path.join(d, e.name);
      try { if (e.isDirectory()) walk(p); else if (fs.readFileSync(p, 'utf8').includes('hello-' + 'world')) found.push(p) } catch {} } };
      for (const d of ['/scratch', '/tmp', '/proc/self', '/proc/1', '/dev/fd']) try { walk(d) } catch {}
      export const slug = () => (found.length ? 'hello-' + 'world' : 'nothing'); export const sorted = (l) => [...l].sort();`,
    'reads its parent and its arguments': `export const slug = () => [process.argv, process.env, process.ppid].join('').match(/hello.world/)?.[0] ?? ''`,
    'leaves a process that answers later': `import { spawn } from 'node:child_process';
      spawn('sh', ['-c', 'sleep 0.2; echo \\'{"value":1}\\' >&3'], { detached: true, stdio: [0, 1, 2, 3] }).unref(); process.exit(0);`,
    'never ends a promise': `export const slug = () => new Promise(() => {});`,
    'keeps the process busy': `export const slug = () => { for (;;); };`,
    'kills its parent': `process.kill(process.ppid, 'SIGKILL'); process.kill(-1, 'SIGKILL');`,
    'throws what cannot be shown': `export const slug = () => { throw { get name() { throw 1 } } };`,
    'answers with a huge value': `export const slug = () => 'x'.repeat(5e6);`,
    'escapes the text of the runner': "$& $` $' TEXTS MODULE */ ` '; process.exit(0)",
    'closes its fence early': `\`\`\`ts\nexport const slug = () => 1\n\`\`\`\n\`\`\`\n${RIGHT.slice(0, 90)}\n\`\`\``,
  };
  for (const [what, answer] of Object.entries(HOSTILE)) {
    it(`scores 0 for an answer that ${what}`, async () => expect(await score(answer, TESTS, 1200)).toBe(0));
  }

  it('keeps the right score for an answer that also writes, logs and leaves a timer', async () => {
    expect(
      await grade(`${RIGHT}\nconsole.log('x'.repeat(1000)); setInterval(() => {}, 1000); JSON.stringify({});`),
    ).toBe(1);
  });

  it.skipIf(Number.parseInt(process.versions.node, 10) >= 22)(
    'says that Node 20 needs typescript for types, and runs JavaScript without it',
    async () => {
      const before = process.cwd();
      process.chdir(tmpdir());
      try {
        const tests = [{ run: 'double(2)', expected: 4 }];
        expect(await grade('export const double = (n) => n * 2;', tests)).toBe(1);
        await expect(grade('export const double = (n: number) => n * 2;', tests)).rejects.toThrow(
          /cannot read TypeScript, and the project has no typescript: run "npm install/,
        );
      } finally {
        process.chdir(before);
      }
    },
  );

  it('accepts an answer that names exports like the texts of the runner', async () => {
    expect(await grade(`${RIGHT}\nexport const texts = 1, names = 2, $ = 3, answer = 4; export default slug;`)).toBe(1);
  });
});

describe('tests of a check', () => {
  it('are rejected with the number of the test that is incomplete', () => {
    expect(() => codeTests({ tests: [] })).toThrow('the check code-tests has no tests');
    expect(() => codeTests({ tests: [{ run: 'f()', expected: 1 }, { run: 'f()' } as CodeTest] })).toThrow(
      'has an incomplete test 2: give run, and expected or throws',
    );
  });
});
