import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG_TEXTS } from '../../campaigns/skills/long-descriptions.js';
import { testFolder } from '../../node/folder.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';
import { setSeed, simulate } from './study-log.js';

const built = mkdtempSync(join(tmpdir(), 'rsi-prove-published-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Twelve skills in the style of published ones: long descriptions, a licence, scripts and references. */
const SKILLS = [...LONG_TEXTS].slice(0, 12).sort((a, b) => (a.name < b.name ? -1 : 1));
/** The first of them helps, the second harms. */
const ODDS = new Map([
  [0, 0.25],
  [1, 4],
]);

function publish(folder: string): void {
  for (const { name, description } of SKILLS) {
    const place = join(folder, name);
    mkdirSync(join(place, 'scripts'), { recursive: true });
    mkdirSync(join(place, 'references'));
    const head = `name: ${name}\ndescription: >-\n  ${description}\nlicense: Apache-2.0\nmetadata: {author: someone}\n`;
    writeFileSync(
      join(place, 'SKILL.md'),
      `---\n${head}---\n\n# ${name}\n\nRun scripts/run.py, and see references/forms.md.\n`,
    );
    writeFileSync(join(place, 'scripts', 'run.py'), 'print(1)\n');
    writeFileSync(join(place, 'references', 'forms.md'), '# Forms\n');
  }
}

describe('a folder of twelve skills in the style of published ones', () => {
  it('is proven from --start to --undo, with the sessions that read each skill, and those never read named', async () => {
    const folder = testFolder();
    const skills = join(folder, '.claude', 'skills');
    publish(skills);
    const before = readFileSync(join(skills, SKILLS[1]?.name ?? '', 'SKILL.md'), 'utf8');
    const home = join(folder, 'home');
    mkdirSync(home);
    const run = (args: readonly string[], stdin = '') =>
      runCommand([command, ...args], {
        cwd: folder,
        stdin,
        env: { ...process.env, HOME: home, COLUMNS: '160' },
      });
    const prove = async (...args: string[]) => {
      const { stdout, stderr } = await run(['prove', '.claude/skills', ...args]);
      return `${stdout}${stderr}`.replace(/\s+/g, ' ').trim();
    };
    const hook = (session: string, hook_event_name: string, fields: object = {}) =>
      run(
        ['hook', 'claude', '--store', 'rsi_data', '--no-background'],
        JSON.stringify({ session_id: session, cwd: folder, hook_event_name, ...fields }),
      );
    await run(['install', 'claude']);
    expect(await prove()).toMatch(/12 skills to try/);
    expect(await prove('--start')).toMatch(/12 skills of .* renamed/);
    await setSeed(folder, skills, 1);

    // Sessions as Claude Code runs them: the agent reads the first skill that it is offered, and its files.
    const readIn = new Map<string, number>();
    for (const session of ['a', 'b', 'c']) {
      const { stdout } = await hook(session, 'SessionStart', { source: 'startup' });
      await hook(session, 'UserPromptSubmit');
      const [file = ''] = /\/\S+SKILL\.on-trial\.md/.exec(stdout) ?? [];
      const name = file.split('/').at(-2) ?? '';
      readIn.set(name, (readIn.get(name) ?? 0) + 1);
      expect(readFileSync(file, 'utf8')).toContain(`name: ${name}`);
      const read = { tool_name: 'Read', tool_input: { file_path: file }, tool_response: {} };
      await hook(session, 'PostToolUse', { ...read, tool_use_id: `${session}1` });
      await hook(session, 'PostToolUse', { ...read, tool_use_id: `${session}2` });
      const listed = { tool_name: 'Bash', tool_input: { command: 'ls -R' }, tool_response: { stdout: stdout } };
      await hook(session, 'PostToolUse', { ...listed, tool_use_id: `${session}3` });
      await hook(session, 'Stop');
      await hook(session, 'SessionEnd');
    }
    const { stdout } = await run(['prove', '.claude/skills', '--json']);
    const lines: readonly { text: string; followed?: { with: { yes: number } } }[] = JSON.parse(stdout).lines;
    expect(lines).toHaveLength(12);
    for (const { text, followed } of lines)
      expect([text, followed?.with.yes ?? 0]).toEqual([text, readIn.get(text) ?? 0]);

    await simulate(folder, skills, { sessions: 500, odds: ODDS });
    const said = await prove();
    expect(said).toMatch(new RegExp(`1 skill earns its tokens.*${SKILLS[0]?.name}`));
    expect(said).toMatch(new RegExp(`1 skill harms.*${SKILLS[1]?.name}`));
    expect(said).toMatch(/followed: [123] of \d sessions? with it/);
    expect(said).toMatch(/\d skills were never read, so they cannot help: .*; say in the description when/);
    expect(await prove('--apply')).toContain(`removed from ./.claude/skills: ${SKILLS[1]?.name}`);
    expect(await prove('--undo')).toContain('again');
    expect(readFileSync(join(skills, SKILLS[1]?.name ?? '', 'SKILL.md'), 'utf8')).toBe(before);
  }, 150_000);
});
