import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeBlocks, PAGES, ROOT, readExample, readPage } from '../docs/code-blocks.js';
import { run } from '../docs/run-command.js';
import { buildCommand } from '../integrations/cli/build-command.js';
import { runNode } from '../run-node.js';

/** Whole programs, and what each prints. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  'examples/agent/agent.ts': [
    /^answer: overloaded, \d+ of 60$/m,
    /^model_call: overloaded, \d+ of \d+$/m,
    /^find_order: network, \d+ of 30$/m,
    /^retries\.overloaded: /m,
  ],
  'examples/express.ts': [/^200 \{ answer: 'An answer to: why\?' \}$/m, /^\{ score: 1, known: true \}$/m],
  'examples/orchestrate-killed.ts': [/^done: 50 of 50$/m, /^done: 46 pages$/m],
  'examples/prompt-story.ts': [
    /^Thank the reader\. rolled-back$/m,
    /^Answer in one word\. rolled-back$/m,
    /^State each sum in euros\. confirmed$/m,
    /^restored: true$/m,
    /^- State each sum in euros\. helps\n- Answer in one word\. harms$/m,
  ],
  'examples/skill-story.ts': [
    /^csv-total: learned in 2 attempts\ninvoice-date: learned in 2 attempts\ntitle-slug: learned in 2 attempts$/m,
    /^csv-total: confirmed\ninvoice-date: rolled-back$/m,
    /^title-slug: the answer is not the expected one\ntitle-slug: the child is working$/m,
    /^title-slug 1 older\ntitle-slug 2 current$/m,
  ],
  'examples/worker-pool.ts': [/^resize_image: resource_exhausted, 8 of 40, from 2 workers$/m],
};

const built = mkdtempSync(join(tmpdir(), 'rsi-command-'));
let npx = '';
beforeAll(async () => {
  npx = await buildCommand(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('an example', { timeout: 120_000 }, () => {
  // Their trials draw by chance, as those of users do: a useless text is confirmed in up to 5 % of the runs.
  it.for(Object.entries(PRINTED))(
    'runs in an empty folder and says what it found: %s',
    { retry: 2 },
    async ([file, printed]) => {
      const env = { TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json'), MODEL_URL: undefined };
      const args = ['--import', import.meta.resolve('tsx'), join(ROOT, file)];
      const { code, stdout, stderr } = await runNode(args, { cwd: folder, env });
      expect(code, stderr).toBe(0);
      for (const each of printed) expect(stdout).toMatch(each);
    },
  );

  it('leads from an empty folder to the first pattern of Claude Code, and leaves its settings as they were', async () => {
    const { code, text } = await run(`sh ${join(ROOT, 'examples/claude-code.sh')}`, folder, npx);
    expect(code, text).toBe(0);
    expect(text).toMatch(/Bash · tool_failure +3 of 3/);
    expect(readdirSync(folder)).not.toContain('.claude');
  });

  it('is run by a test', () => {
    const quoted = PAGES.flatMap((page) => codeBlocks(readPage(page)).flatMap(({ file }) => file ?? []));
    // These folders have tests of their own, which name each program or run each skill.
    const others = [
      /^examples\/(?:ci|clients|code-agent|demo|healed-shop|skills)\//,
      /^examples\/serve\.(?:py|sh)$/,
      /^examples\/claude-code\.sh$/,
    ];
    const files = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
      .map((file) => `examples/${file.replaceAll('\\', '/')}`)
      .filter((file) => /\.\w+$/.test(file));
    const imported = new Set(files.flatMap((file) => importsOf(file)));
    const isRun = (file: string) =>
      file in PRINTED || quoted.includes(file) || imported.has(file) || others.some((other) => other.test(file));
    expect(files.filter((file) => !isRun(file))).toEqual([]);
  });
});

/** Files of the same folder that an example imports. */
function importsOf(file: string): readonly string[] {
  const found = [...(readExample(file) ?? '').matchAll(/ from '\.\/([\w-]+)\.js'/g)];
  return found.map(([, name = '']) => file.replace(/[^/]+$/, `${name}.ts`));
}
