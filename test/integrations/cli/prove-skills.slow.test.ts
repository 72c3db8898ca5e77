import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkStudies } from '../../../integrations/cli/prove/check-studies.js';
import { readStudies } from '../../../integrations/reports/studies.js';
import { testFolder } from '../../node/folder.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';
import { entries, setSeed, simulate } from './study-log.js';

const built = mkdtempSync(join(tmpdir(), 'rsi-prove-skills-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Skills in the order of their names: the first helps, the second harms. */
const NAMES = ['invoices', 'jokes', 'pdf', 'tables', 'tone'];
const ODDS = new Map([
  [0, 0.25],
  [1, 4],
]);
const skill = (name: string, description = `use it for ${name}`, more = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n\nSteps for ${name}.\n`;

/** A project with skills, whose agent calls the hooks of `rsi`. */
async function project({ installed = true } = {}) {
  const folder = testFolder();
  const skills = join(folder, '.claude', 'skills');
  const put = (name: string, text: string) => {
    mkdirSync(join(skills, name), { recursive: true });
    writeFileSync(join(skills, name, 'SKILL.md'), text);
  };
  for (const name of NAMES) put(name, skill(name));
  put('deploy', skill('deploy', 'rolls out to production'));
  put('by-hand', skill('by-hand', 'for people', 'disable-model-invocation: true\n'));
  const home = join(folder, 'home');
  mkdirSync(home);
  const run = (args: readonly string[], stdin = '', more: NodeJS.ProcessEnv = {}) =>
    runCommand([command, ...args], { cwd: folder, stdin, env: { ...process.env, HOME: home, COLUMNS: '80', ...more } });
  const prove = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['prove', '.claude/skills', ...args]);
    return { code, said: `${stdout}${stderr}`.replace(/\s+/g, ' ').trim() };
  };
  const hook = async (session: string, hook_event_name: string, fields: object = {}, env: NodeJS.ProcessEnv = {}) => {
    const body = JSON.stringify({ session_id: session, cwd: folder, hook_event_name, ...fields });
    return (await run(['hook', 'claude', '--store', 'rsi_data', '--no-background'], body, env)).stdout;
  };
  const start = (session: string, env: NodeJS.ProcessEnv = {}) =>
    hook(session, 'SessionStart', { source: 'startup' }, env);
  if (installed) expect((await run(['install', 'claude'])).code).toBe(0);
  const has = (name: string, file = 'SKILL.md') => existsSync(join(skills, name, file));
  return { folder, skills, put, run, prove, hook, start, has };
}

const skillsIn = (text: string) => [...text.matchAll(/- ([\w-]+): use it for/g)].map(([, name]) => name);

describe('rsi prove <folder of skills>', () => {
  it('offers each session a random part of the skills, names what helps and what harms, removes it, and puts it back', async () => {
    const { folder, skills, run, prove, hook, start, has } = await project();
    const before = readFileSync(join(skills, 'jokes', 'SKILL.md'), 'utf8');
    expect((await prove()).said).toMatch(
      /5 skills to try, about \d+ tokens.*2 skills in every session by-hand: for people a link, not readable, or called by a person alone deploy: .* names a danger/,
    );
    expect((await prove('--start')).said).toMatch(/5 skills of .\/.claude\/skills renamed to SKILL.on-trial.md/);
    await setSeed(folder, skills, 1);
    expect(NAMES.filter((name) => has(name))).toEqual([]);
    expect([has('deploy'), has('by-hand')]).toEqual([true, true]);

    const given: (string | undefined)[][] = [];
    for (const session of ['a', 'b', 'c']) {
      const text = await start(session);
      given.push(skillsIn(text));
      if (session === 'a') expect(skillsIn(await start(session)), 'the same after a resume').toEqual(given.at(-1));
      for (const name of given.at(-1) ?? []) expect(text).toContain(join(skills, name ?? '', 'SKILL.on-trial.md'));
      await hook(session, 'UserPromptSubmit');
      await hook(session, session === 'b' ? 'StopFailure' : 'Stop', { error: 'server_error' });
      await hook(session, 'SessionEnd');
    }
    expect(new Set(given.map(String)).size).toBeGreaterThan(1);
    const ends = (await entries(folder, skills)).flatMap((entry) => (entry.kind === 'ended' ? entry.failures : []));
    expect(ends).toEqual([0, 1, 0]);

    await simulate(folder, skills, { sessions: 400, odds: ODDS });
    expect((await prove()).said).toMatch(
      /1 skill earns its tokens.*invoices.*1 skill harms.*jokes.*3 skills look useless.*--apply removes what harms/,
    );
    expect(skillsIn(await start('next'))).toContain('invoices');
    expect(skillsIn(await start('next one'))).not.toContain('jokes');

    // Records of hooks reach the store, although the study was in its folder first.
    await run(['watch', 'rsi_data/hooks/inbox', '--store', 'rsi_data', '--once', '--settle', '0']);
    const { stdout } = await run(['status'], '', { COLUMNS: '100' });
    expect(stdout).toMatch(
      /proves +skills 403 sessions: 1 helps, 1 harms, 3 look useless +(npx )?rsi prove .\/.claude\/skills/,
    );

    expect((await prove('--apply')).said).toMatch(/^1 skill removed from .\/.claude\/skills: jokes\./);
    expect(NAMES.filter((name) => has(name))).toEqual(NAMES.filter((name) => name !== 'jokes'));
    expect(has('jokes', 'SKILL.removed.md')).toBe(true);
    expect(await start('after')).toBe('{}\n');
    expect((await prove('--apply')).said).toMatch(/are removed from .\/.claude\/skills already/);
    expect((await prove('--undo')).said).toMatch(/holds jokes again/);
    expect(readFileSync(join(skills, 'jokes', 'SKILL.md'), 'utf8')).toBe(before);
    expect((await prove('--undo')).said).toMatch(/nothing was removed/);
  }, 120_000);

  it('never lets a session go without skills that it should have, and does not count it', async () => {
    const { folder, skills, run, prove, start, put, has } = await project();
    await prove('--start');
    expect(skillsIn(await start('frozen', { RSI_FREEZE: '1' }))).toEqual(NAMES);
    // Git restored one skill: the agent finds it, and the hook gives the others.
    put('pdf', skill('pdf'));
    expect(skillsIn(await start('restored'))).toEqual(NAMES.filter((name) => name !== 'pdf'));
    expect((await prove()).said).toMatch(/0 sessions.*a file of a skill was renamed/);
    expect(await checkStudies(join(folder, 'rsi_data'))).toMatchObject([
      {
        ok: false,
        found: expect.stringContaining('0 sessions'),
        advice: expect.stringMatching(/a skill of .* was renamed/),
      },
    ]);
    expect((await run(['uninstall', 'claude'])).stderr).toMatch(/a study of .*skills is running/);
    expect((await prove('--stop')).said).toMatch(/holds its skills again$/);
    expect(NAMES.filter((name) => has(name) && !has(name, 'SKILL.on-trial.md'))).toEqual(NAMES);
    expect(await readStudies(join(folder, 'rsi_data'))).toEqual([]);

    await prove('--start');
    put('pdf', skill('pdf', 'use it for PDF'));
    expect((await prove('--stop')).said).toMatch(/pdf had a new SKILL.md, so the earlier one stays beside it/);
    expect(readFileSync(join(skills, 'pdf', 'SKILL.md'), 'utf8')).toContain('use it for PDF');
    expect((await prove('--start')).said).toMatch(/\/pdf holds SKILL.on-trial.md of a study/);
  }, 120_000);

  it('finishes what kill -9 interrupted', async () => {
    const { folder, skills, prove, start, has } = await project();
    await prove('--start');
    await setSeed(folder, skills, 1);
    // The study was on the disk, and not all files were renamed.
    renameSync(join(skills, 'tone', 'SKILL.on-trial.md'), join(skills, 'tone', 'SKILL.md'));
    expect(skillsIn(await start('a'))).toEqual(NAMES.filter((name) => name !== 'tone'));
    renameSync(join(skills, 'tone', 'SKILL.md'), join(skills, 'tone', 'SKILL.on-trial.md'));
    await simulate(folder, skills, { sessions: 400, odds: ODDS });
    await prove('--apply');
    // The removal was recorded, and the file of the skill not renamed yet.
    renameSync(join(skills, 'jokes', 'SKILL.removed.md'), join(skills, 'jokes', 'SKILL.on-trial.md'));
    expect((await prove('--apply')).said).toMatch(/1 skill removed/);
    expect([has('jokes'), has('jokes', 'SKILL.removed.md')]).toEqual([false, true]);
    writeFileSync(join(skills, 'jokes', 'SKILL.md'), skill('jokes', 'use it for new jokes'));
    expect((await prove('--undo')).said).toMatch(/jokes has a SKILL.md again: put SKILL.removed.md back by hand/);
  }, 120_000);

  it('refuses what is no folder of skills, a link, a part of skills, and an agent without hooks', async () => {
    const { folder, skills, run, prove } = await project({ installed: false });
    symlinkSync(skills, join(folder, 'link'));
    const said = async (...args: string[]) => (await run(['prove', ...args])).stderr.replace(/\s+/g, ' ');
    expect(await said('home')).toMatch(/.\/home has no folder with a SKILL.md: name a folder of skills/);
    expect(await said('link')).toMatch(/.\/link is a link: name the folder itself/);
    expect(await said('no-such-study')).toMatch(/there is no file, folder or study called no-such-study/);
    expect((await prove('--start')).said).toMatch(/no hook of Claude Code gives texts from .\/rsi_data/);
    expect((await prove('--start', '--agent', 'codex', '--by', 'section')).said).toMatch(/--by section is for files/);
    expect((await prove('--stop')).said).toMatch(/no study of .\/.claude\/skills is running/);
    symlinkSync(join(skills, 'tone'), join(skills, 'other'));
    expect((await prove()).said).toMatch(/5 skills to try.*other a link, not readable/);
  }, 120_000);
});
