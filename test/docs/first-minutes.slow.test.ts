import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SDKS } from '../../integrations/cli/init/sdks.js';
import { missingLines, readSections } from '../../scripts/first-minutes/page.js';
import { freePort, onPort, runSection } from '../../scripts/first-minutes/run-section.js';
import { makeHome, type StandIn, startStandIn } from '../../scripts/first-minutes/stand-in.js';
import { buildCommand, linkPackageFolder } from '../integrations/cli/build-command.js';
import { ROOT, readPage } from './code-blocks.js';

const page = readPage('docs/first-minutes.md');
const sections = readSections(page);
const folder = mkdtempSync(join(tmpdir(), 'rsi-first-minutes-'));
let standIn: StandIn;

beforeAll(async () => {
  standIn = await startStandIn();
  // `npm install` is left out here; `npm run first-minutes` does it, with the packed package.
  const command = await buildCommand(folder);
  linkPackageFolder(folder, 'integrations', 'plugin');
  const programs = {
    npm: '',
    npx: `shift; exec "${process.execPath}" "${command}" "$@"`,
    node: `exec "${process.execPath}" --import "${import.meta.resolve('tsx')}" "$@"`,
  };
  mkdirSync(join(folder, 'bin'));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
});
afterAll(() => {
  standIn.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('docs/first-minutes.md', () => {
  it('has a section for each way in', () => {
    expect(sections.map(({ title }) => title)).toEqual([
      ...['Claude Code', 'AI SDK', 'AI SDK 5 and 6, on Node 20', 'OpenAI', 'Anthropic', 'LangChain'],
      'curl, from any language',
    ]);
    for (const { steps } of sections) expect(steps.some(({ kind }) => kind === 'shows')).toBe(true);
  });

  it.for(sections)('leads to the first pattern: $title', { timeout: 120_000 }, async (section) => {
    const place = join(folder, section.title.replace(/\W+/g, '-'));
    const project = join(place, 'project');
    mkdirSync(project, { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    if (section.title === 'Claude Code') makeHome(join(place, 'home'));
    const port = await freePort();
    const env = {
      ...{ HOME: join(place, 'home'), COLUMNS: '100', PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
      ...standIn.env,
      TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json'),
    };
    const { problem } = await runSection(section, { folder: project, env, rewrite: (code) => onPort(code, port) });
    expect(problem).toBeUndefined();
  });

  it('shows every line that rsi init prints for a library', () => {
    const lines = SDKS.flatMap(({ imports, use }) => [imports, ...use.split('\n')]);
    expect(lines.filter((line) => !page.includes(line))).toEqual([]);
  });
});

describe('the reader of that page', () => {
  it('notices a line that the output lacks, and no difference in spaces', () => {
    expect(missingLines('1  a   2 of 3\n', 'x\n 1 a 2 of 3  60 %\n')).toEqual([]);
    expect(missingLines('1  a   2 of 3\n', '1 a 3 of 3')).toEqual(['1 a 2 of 3']);
  });

  it('notices a command that fails', async () => {
    const [section] = readSections('## One\n\n```sh\ntrue\nexit 3\n```\n');
    const run = section && (await runSection(section, { folder: join(folder, 'fails'), env: process.env }));
    expect(run?.problem).toMatch(/^exit code 3/);
  });
});
