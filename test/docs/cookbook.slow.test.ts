import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCommand } from '../integrations/cli/build-command.js';
import { runNode } from '../run-node.js';
import { type CodeBlock, codeBlocks, ROOT, readPage } from './code-blocks.js';
import { run } from './run-command.js';

const blocks = codeBlocks(readPage('docs/cookbook.md'));
const programs = blocks.filter(({ file }) => file?.startsWith('examples/recipes/'));
const shells = blocks.filter(({ language }) => language === 'console');

/** Block that shows what a program prints: the next one of the page. */
function shownAfter(program: CodeBlock): string {
  const next = blocks[blocks.indexOf(program) + 1];
  return next?.language === 'text' ? next.code.trim() : 'shows no output';
}

/** Pattern of an output in which `…` stands for any text, over several lines if it is a line of its own. */
function patternOf(shown: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const lines = shown.trimEnd().split('\n');
  const parts = lines.map((line) => (line === '…' ? '[\\s\\S]*' : line.split('…').map(literal).join('.*')));
  return new RegExp(`^${parts.join('\\n')}\\s*$`);
}

/** Splits a block into commands, each with the output it shows. */
function steps({ code }: CodeBlock): readonly { readonly command: string; readonly shown: string }[] {
  return code.split(/^\$ /m).flatMap((step) => {
    const [command = '', ...shown] = step.split('\n');
    return command === '' ? [] : [{ command, shown: shown.join('\n') }];
  });
}

const built = mkdtempSync(join(tmpdir(), 'rsi-command-'));
let npx = '';
beforeAll(async () => {
  npx = await buildCommand(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-recipe-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the recipes', { timeout: 120_000 }, () => {
  it('are at least 15', () => {
    expect(readPage('docs/cookbook.md').match(/^## /gm)?.length).toBeGreaterThanOrEqual(15);
    expect(programs.length + shells.length).toBeGreaterThanOrEqual(15);
  });

  it.for(programs.map((program) => program.file ?? ''))('print what the page shows: %s', async (file) => {
    const program = programs.find((one) => one.file === file);
    const env = { TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json') };
    const args = ['--import', import.meta.resolve('tsx'), join(ROOT, file)];
    const { code, stdout, stderr } = await runNode(args, { cwd: folder, env });
    expect(code, stderr).toBe(0);
    expect(stdout.trim()).toBe(program && shownAfter(program));
  });

  it.for(shells.map(({ line }) => line))('print what the page shows: commands at line %i', async (line) => {
    for (const { command, shown } of steps(shells.find((one) => one.line === line) as CodeBlock)) {
      const { text } = await run(command, folder, npx);
      expect(text, command).toMatch(patternOf(shown));
    }
  });
});

describe('the reader of recipes', () => {
  it('knows where any text may be, and where not', () => {
    expect('recorded as 12 in ./rsi_data\n').toMatch(patternOf('recorded as … in ./rsi_data'));
    expect('one\ntwo\nthree\n').toMatch(patternOf('one\n…'));
    expect('one\ntwo\n').not.toMatch(patternOf('one'));
    expect(steps({ code: '$ a b\nc\n$ d' } as CodeBlock)).toEqual([
      { command: 'a b', shown: 'c\n' },
      { command: 'd', shown: '' },
    ]);
  });
});
