import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StudyFolder } from '../../../integrations/cli/prove/study-folder.js';
import { testFolder } from '../../node/folder.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';
import { entries, setSeed, simulate } from './study-log.js';

const built = mkdtempSync(join(tmpdir(), 'rsi-prove-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Twenty lines: two help, two harm, sixteen do nothing. */
const LINES = Array.from({ length: 20 }, (_, line) => `- Rule ${line}: do it this way.\r\n`);
const TEXT = `# Project\r\n\r\n## Style\r\n\r\n${LINES.slice(0, 10).join('')}\r\n- Never delete data.\r\n\r\n## Tests\r\n\r\n${LINES.slice(10).join('').trimEnd()}`;
const ODDS = new Map([
  [3, 0.25],
  [7, 4],
  [11, 4],
  [15, 0.25],
]);

/** A project whose agent calls the hooks of `rsi`. */
async function project(text: string | Buffer = TEXT, { installed = true } = {}) {
  const folder = testFolder();
  const path = join(folder, 'CLAUDE.md');
  writeFileSync(path, text);
  const home = join(folder, 'home');
  mkdirSync(home);
  const run = (args: readonly string[], stdin = '', more: NodeJS.ProcessEnv = {}) =>
    runCommand([command, ...args], { cwd: folder, stdin, env: { ...process.env, HOME: home, COLUMNS: '80', ...more } });
  const prove = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['prove', 'CLAUDE.md', ...args]);
    return { code, said: `${stdout}${stderr}`.replace(/\s+/g, ' ').trim() };
  };
  const hook = async (session: string, hook_event_name: string, fields: object = {}, env: NodeJS.ProcessEnv = {}) => {
    const body = JSON.stringify({ session_id: session, cwd: folder, hook_event_name, ...fields });
    const { code, stdout } = await run(['hook', 'claude', '--store', 'rsi_data', '--no-background'], body, env);
    expect(code).toBe(0);
    return stdout;
  };
  const start = (session: string, fields: object = {}, env: NodeJS.ProcessEnv = {}) =>
    hook(session, 'SessionStart', { source: 'startup', ...fields }, env);
  const report = async () => JSON.parse((await run(['prove', 'CLAUDE.md', '--json'])).stdout);
  if (installed) expect((await run(['install', 'claude'])).code).toBe(0);
  const read = () => readFileSync(path, 'utf8');
  return { folder, path, run, prove, hook, start, report, read };
}

const rulesIn = (text: string) => [...text.matchAll(/Rule (\d+):/g)].map(([, line]) => Number(line));

describe('rsi prove', () => {
  it('tries files, rules and skills at once, notes what was followed and corrected, and goes on with earlier evidence', async () => {
    const { folder, run, hook, start, path, read } = await project(
      '- Run `npm test` before you are done.\n- Be brief.\n',
    );
    mkdirSync(join(folder, '.claude', 'rules'), { recursive: true });
    mkdirSync(join(folder, '.claude', 'skills', 'pdf'), { recursive: true });
    const before = {
      rule: '- Use `pnpm`, not `npm`.\n',
      skill: '---\nname: pdf\ndescription: Reads PDF.\n---\nText\n',
    };
    writeFileSync(join(folder, '.claude', 'rules', 'a.md'), before.rule);
    writeFileSync(join(folder, '.claude', 'skills', 'pdf', 'SKILL.md'), before.skill);
    const all = ['CLAUDE.md', '.claude/rules', '.claude/skills'];
    const started = await run(['prove', ...all, '--start', '--error-rate', '0.1']);
    expect(started).toMatchObject({ code: 0 });
    expect(read()).not.toContain('brief');
    for (const session of ['a', 'b', 'c']) {
      await start(session, { model: session === 'c' ? 'small' : 'large' });
      await hook(session, 'UserPromptSubmit', { prompt: 'make it work' });
      await hook(session, 'PostToolUse', { tool_name: 'Edit', tool_input: { file_path: 'a.ts' }, tool_response: 'ok' });
      if (session === 'a')
        await hook(session, 'PostToolUse', {
          tool_name: 'Bash',
          tool_input: { command: 'npm test' },
          tool_response: 'ok',
        });
      await hook(session, 'Stop');
      await hook(session, 'UserPromptSubmit', { prompt: session === 'b' ? 'No, that is wrong.' : 'thanks' });
      await hook(session, 'Stop');
      await hook(session, 'SessionEnd');
    }
    const log = await entries(folder, path);
    expect(log.filter(({ kind }) => kind === 'began')).toMatchObject([
      { model: 'large' },
      { model: 'large' },
      { model: 'small' },
    ]);
    expect(log.filter(({ kind }) => kind === 'ended')).toMatchObject([
      { tasks: 2, failures: 0, followed: 'y-' },
      { tasks: 2, failures: 1, followed: 'n-' },
      { tasks: 2, failures: 0, followed: 'n-' },
    ]);
    const { studies } = JSON.parse((await run(['prove', ...all, '--json'])).stdout);
    expect(studies.map(({ file, sessions }: { file: string; sessions: number }) => [file, sessions])).toEqual([
      ['./CLAUDE.md', 3],
      ['./.claude/rules/a.md', 3],
      ['./.claude/skills', 3],
    ]);
    expect((await run(['prove', 'CLAUDE.md'])).stdout).toContain('followed: ');
    const known = JSON.parse((await run(['prove', 'CLAUDE.md', '--json'])).stdout).lines[0].eHelps;
    expect((await run(['prove', ...all, '--stop'])).code).toBe(0);
    expect(read()).toBe('- Run `npm test` before you are done.\n- Be brief.\n');
    expect(readFileSync(join(folder, '.claude', 'rules', 'a.md'), 'utf8')).toBe(before.rule);
    expect(readFileSync(join(folder, '.claude', 'skills', 'pdf', 'SKILL.md'), 'utf8')).toBe(before.skill);
    expect((await run(['prove', 'CLAUDE.md', '--start'])).code).toBe(0);
    expect(JSON.parse((await run(['prove', 'CLAUDE.md', '--json'])).stdout).lines[0].eHelps).toBeCloseTo(known, 8);
  }, 60_000);

  it('gives each session a random part of the lines, names what helps and what harms, removes it, and puts it back', async () => {
    const { folder, prove, hook, start, report, read, path } = await project();
    expect((await prove()).said).toMatch(/20 lines to try, about \d+ tokens.*Never delete data.*names a danger/);
    expect(read()).toBe(TEXT);
    expect((await prove('--start')).said).toMatch(/20 lines of .\/CLAUDE.md moved to .\/rsi_data/);
    await setSeed(folder, path, 1);
    expect(rulesIn(read())).toEqual([]);
    expect(read()).toContain('- Never delete data.');

    const given: number[][] = [];
    for (const session of ['a', 'b', 'c']) {
      const text = await start(session);
      given.push(rulesIn(text));
      expect(rulesIn(await start(session, { source: 'compact' })), 'the same after a compaction').toEqual(given.at(-1));
      await hook(session, 'UserPromptSubmit');
      await hook(session, session === 'b' ? 'StopFailure' : 'Stop', { error: 'server_error' });
      await hook(session, 'SessionEnd');
    }
    expect(new Set(given.map(String)).size).toBe(3);
    expect(given.flat().length).toBeGreaterThan(15);
    expect(given.flat().length).toBeLessThan(45);
    expect(await report()).toMatchObject({ state: 'running', sessions: 3, waiting: 0, counts: 'turns' });
    expect((await entries(folder, path)).filter(({ kind }) => kind === 'ended')).toMatchObject([
      { tasks: 1, failures: 0 },
      { tasks: 1, failures: 1 },
      { tasks: 1, failures: 0 },
    ]);

    await simulate(folder, path, { sessions: 500, odds: ODDS });
    const found = await report();
    const named = (verdict: string) =>
      found.lines.flatMap((line: { verdict: string }, at: number) => (line.verdict === verdict ? [at] : []));
    expect(named('helps')).toEqual([3, 15]);
    expect(named('harms')).toEqual([7, 11]);
    expect(named('undecided')).toHaveLength(16);
    const next = rulesIn(await start('next'));
    expect(next).toEqual(expect.arrayContaining([3, 15]));
    expect(next.filter((line) => line === 7 || line === 11)).toEqual([]);
    expect((await prove()).said).toMatch(
      /2 lines earn their tokens.*Rule 3:.*2 lines harm.*Rule 7:.*16 lines look useless: with it, failures are not halved/,
    );

    expect((await prove('--apply')).said).toMatch(/^2 lines removed from .\/CLAUDE.md; --undo puts them back/);
    const without = LINES.filter((_, line) => line !== 7 && line !== 11);
    expect(read()).toBe(TEXT.replace(LINES[7] ?? '', '').replace(LINES[11] ?? '', ''));
    expect(rulesIn(read())).toHaveLength(without.length);
    expect(await start('after')).toBe('{}\n');
    writeFileSync(path, read().replace('# Project', '# Project of ours'));
    expect((await prove('--undo')).code).toBe(0);
    expect(read()).toBe(TEXT.replace('# Project', '# Project of ours'));
  }, 120_000);

  it('compares the tokens, time, interrupts and claims that the transcript of a session shows', async () => {
    const { folder, path, run, prove, hook, start, report } = await project('- Be brief.\n- Say what you ran.\n');
    const other = await prove('--start', '--counts', 'claims', '--agent', 'cursor');
    expect(other).toMatchObject({ code: 2, said: expect.stringContaining('use --counts turns or tools') });
    const transcript = join(folder, 'session.jsonl');
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const row = (type: string, ms: number, content: unknown, more: object = {}) =>
      JSON.stringify({ type, sessionId: 'a', timestamp: at(ms), message: { role: type, content, ...more } });
    const usage = { usage: { input_tokens: 90, output_tokens: 10 } };
    const text = (said: string) => [{ type: 'text', text: said }];
    const edit = [{ type: 'tool_use', id: 't', name: 'Edit', input: { file_path: 'a.ts', new_string: 'b' } }];
    const results: Record<string, object> = {
      claims: { tasks: 2, failures: 1 },
      interrupts: { tasks: 2, failures: 1 },
      tokens: { tasks: 2, tokens: 300 },
      time: { tasks: 2, durationMs: 7_000 },
    };
    for (const [counts, result] of Object.entries(results)) {
      expect((await prove('--start', '--counts', counts)).code).toBe(0);
      await start(counts);
      const rows = [
        row('user', 1_000, 'make it work'),
        row('assistant', 2_000, edit, { id: `${counts}1`, ...usage }),
        row('user', 3_000, [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }]),
        row('assistant', 4_000, text('All tests pass.'), { id: `${counts}2`, ...usage }),
        row('user', 5_000, 'and the docs'),
        row('assistant', 9_000, text('I begin.'), { id: `${counts}3`, ...usage }),
        row('user', 9_500, '[Request interrupted by user]'),
      ];
      writeFileSync(transcript, rows.join('\n'));
      await hook(counts, 'SessionEnd', { transcript_path: transcript });
      const ended = (await entries(folder, path)).filter(({ kind }) => kind === 'ended');
      expect(ended.at(-1)).toMatchObject(result);
      expect(await report()).toMatchObject({ counts, sessions: 1 });
      expect((await prove('--stop')).code).toBe(0);
    }
    expect((await prove('--start', '--counts', 'tokens')).code).toBe(0);
    await start('unread');
    const body = { session_id: 'unread', cwd: folder, hook_event_name: 'SessionEnd', transcript_path: path };
    const hooked = ['hook', 'claude', '--store', 'rsi_data', '--no-background'];
    expect((await run(hooked, JSON.stringify(body))).stderr).toContain('cannot be counted as a session');
    expect(await report()).toMatchObject({ sessions: 0, waiting: 1 });
  }, 120_000);

  it('counts the tool calls of a session, if a person asks for them', async () => {
    const { folder, path, prove, hook, start } = await project();
    await prove('--start', '--counts', 'tools');
    await start('a');
    for (const error of [undefined, 'Exit code 1']) {
      await hook('a', error ? 'PostToolUseFailure' : 'PostToolUse', { tool_name: 'Bash', tool_input: {}, error });
    }
    await hook('a', 'Stop');
    await hook('a', 'SessionEnd');
    expect((await entries(folder, path)).at(-1)).toMatchObject({ kind: 'ended', tasks: 2, failures: 1 });
  });

  it('puts the file back to the byte, and keeps what a person wrote meanwhile', async () => {
    const { prove, run, read, path } = await project();
    expect((await prove('--start')).code).toBe(0);
    expect((await prove('--start')).said).toMatch(/a study of .\/CLAUDE.md is running: --stop ends it/);
    const { code, stderr } = await run(['uninstall', 'claude']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/rsi prove .\/CLAUDE.md --stop" first/),
    });
    expect((await prove('--stop')).said).toMatch(/is as it was, to the byte/);
    expect(read()).toBe(TEXT);
    expect((await prove('--stop')).said).toMatch(/no study of .\/CLAUDE.md is running/);

    await prove('--start');
    writeFileSync(path, read().replace('- Never delete data.', '- Never delete data. Ask me.'));
    expect((await prove('--stop')).said).toMatch(/holds all lines again, with your edits/);
    expect(read()).toBe(TEXT.replace('- Never delete data.', '- Never delete data. Ask me.'));

    writeFileSync(path, TEXT);
    await prove('--start');
    writeFileSync(path, read().replace(/<!-- rsi-loop:prove \S+ 1-10.*\r\n/, ''));
    expect((await prove()).said).toMatch(/a marker was removed from the file/);
    expect((await prove('--stop')).said).toMatch(/1 part had no marker left and is at its end/);
    expect(rulesIn(read()).sort((a, b) => a - b)).toEqual(LINES.map((_, line) => line));
  }, 120_000);

  it('never lets a session go without lines that it should have: restored file, removed marker, freeze, lost study', async () => {
    const { folder, prove, start, read, path, report } = await project();
    await prove('--start');
    const started = read();
    expect(rulesIn(await start('frozen', {}, { RSI_FREEZE: '1' }))).toHaveLength(20);
    // The file was restored by git: its lines are in it.
    writeFileSync(path, TEXT);
    expect(await start('restored')).toBe('{}\n');
    expect((await report()).state).toBe('missing');
    writeFileSync(path, started.replace(/<!-- rsi-loop:prove \S+ 1-10.*\r\n/, ''));
    expect(rulesIn(await start('edited'))).toEqual(LINES.slice(10).map((_, line) => line + 10));
    writeFileSync(path, started);
    const [study] = new StudyFolder(join(folder, 'rsi_data')).open();
    rmSync(join(folder, 'rsi_data/prove', study?.id ?? '', 'prove-study.jsonl'));
    mkdirSync(join(folder, 'rsi_data/prove', study?.id ?? '', 'prove-study.jsonl'));
    expect(rulesIn(await start('unreadable'))).toHaveLength(20);
    // Elsewhere on the disk, the file does not apply.
    expect(await start('elsewhere', { cwd: tmpdir() })).toBe('{}\n');
    expect((await prove('--stop')).said).toMatch(/is as it was, to the byte/);
    expect(read()).toBe(TEXT);
  }, 120_000);

  it('finishes what kill -9 interrupted', async () => {
    const { folder, prove, start, read, path } = await project();
    const studies = new StudyFolder(join(folder, 'rsi_data'));
    await prove('--start');
    const [study] = studies.open();
    // A removal was recorded, and the file not written yet.
    const after = TEXT.replace(LINES[7] ?? '', '');
    if (study) await studies.end(study, { how: 'applied', atMs: 1, before: TEXT, after });
    expect(rulesIn(await start('a')).length).toBeGreaterThan(0);
    expect((await prove('--undo')).said).toMatch(/as before --apply, to the byte/);
    expect(read()).toBe(TEXT);
    // A study was recorded, and the file not changed yet: all lines are in it, and a new start works.
    await prove('--start');
    writeFileSync(path, TEXT);
    expect(await start('b')).toBe('{}\n');
    expect((await prove('--start')).code).toBe(0);
    expect((await prove('--stop')).said).toMatch(/as it was, to the byte/);
  }, 120_000);

  it.each([
    ['an empty file', '', /nothing to prove/],
    ['a file of 10 MB', 'x'.repeat(10_000_000), /has 10000000 bytes of at most 1048576/],
    ['a binary file', Buffer.from([0xff, 0xfe, 0, 1]), /is not UTF-8/],
    ['a zero byte', 'a\0b', /zero byte/],
    ['only protected lines', '- Never do this.\n', /is kept: there is nothing to prove/],
  ])('refuses %s', async (_, text, message) => {
    const { prove, path } = await project(text, { installed: false });
    const { code, said } = await prove('--start', '--agent', 'codex');
    expect({ code, said }).toEqual({ code: 2, said: expect.stringMatching(message) });
    expect(readFileSync(path).equals(Buffer.from(text))).toBe(true);
  });

  it('refuses a link, a missing file, two actions, a repository that brings a study, and an agent without hooks', async () => {
    const { folder, prove, run, read } = await project(TEXT, { installed: false });
    symlinkSync('CLAUDE.md', join(folder, 'AGENTS.md'));
    const said = async (...args: string[]) => (await run(['prove', ...args])).stderr;
    expect(await said('AGENTS.md', '--start')).toMatch(/"AGENTS.md" is a link/);
    expect(await said('none.md')).toMatch(/there is no file .\/none.md/);
    expect(await said('CLAUDE.md', '--start', '--stop')).toMatch(/give one of --start, --stop/);
    expect(await said('CLAUDE.md', '--start')).toMatch(/no hook of Claude Code gives texts from .\/rsi_data/);
    expect((await prove('--start', '--agent', 'codex')).code).toBe(0);
    expect(await said('CLAUDE.md', '--start', '--agent', 'codex', '--store', 'other')).toMatch(
      /holds markers of a study/,
    );
    execFileSync('git', ['init', '-q', '.'], { cwd: folder });
    execFileSync('git', ['add', '-f', 'rsi_data'], { cwd: folder });
    expect(await said('CLAUDE.md')).toMatch(/git tracks .*rsi_data/);
    expect(rulesIn(read())).toEqual([]);
  });
});
