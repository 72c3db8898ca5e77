import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { claudeHandler } from 'rsi-loop/sources/agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealLine } from '../../../src/node/line.js';
import { testFolder } from '../../node/folder.js';
import { runNode } from '../../run-node.js';
import { buildCommand } from './build-command.js';

const built = mkdtempSync(join(tmpdir(), 'rsi-hook-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const SESSION = { session_id: 's-1', transcript_path: '/t.jsonl', cwd: '/w' };
const BASH = { tool_name: 'Bash', tool_input: { command: 'make secret-target' } };

/** Hooks as an agent calls them, each a process of its own. */
function agent(folder = testFolder(), more: readonly string[] = ['--no-background']) {
  const store = join(folder, 'rsi_data');
  const run = async (stdin: string, args: readonly string[] = ['claude']) => {
    const { code, stdout, stderr } = await runNode([command, 'hook', ...args, '--store', store, ...more], {
      cwd: folder,
      stdin,
    });
    expect(code, stderr).toBe(0);
    return { answer: JSON.parse(stdout), stderr };
  };
  const hook = async (hook_event_name: string, fields: object = {}) =>
    (await run(JSON.stringify({ ...SESSION, hook_event_name, ...fields }))).answer;
  const take = () =>
    runNode([command, 'watch', join(store, 'hooks/inbox'), '--store', store, '--once', '--delete', '--settle', '0'], {
      cwd: folder,
    });
  const outcomes = async () => {
    const opened = new FileStore(store);
    const found: Outcome[] = [];
    for await (const { record } of opened.journal.read()) if (record.kind === 'outcome') found.push(record.outcome);
    await opened.close();
    return found;
  };
  return { folder, store, run, hook, take, outcomes };
}

describe('rsi hook claude', () => {
  it('begins a session with a line on the last 7 days for the person, once a week and only if asked', async () => {
    const quiet = agent();
    await quiet.hook('Stop');
    await quiet.take();
    expect(await quiet.hook('SessionStart', { source: 'startup' })).toEqual({});
    const asked = agent(quiet.folder, ['--no-background', '--weekly']);
    const first = await asked.hook('SessionStart', { source: 'startup', session_id: 's-2' });
    expect(first.systemMessage).toMatch(/^rsi, last 7 days: .*decide$/);
    expect(first.systemMessage.length).toBeLessThanOrEqual(200);
    expect(first.hookSpecificOutput, 'the agent does not get it').toBeUndefined();
    expect(await asked.hook('SessionStart', { source: 'startup', session_id: 's-3' })).toEqual({});
    const longAgo = new Date(Date.now() - 8 * 86_400_000);
    utimesSync(join(asked.store, 'hooks', 'week'), longAgo, longAgo);
    expect(await asked.hook('SessionStart', { source: 'startup', session_id: 's-4' })).toHaveProperty('systemMessage');
  });

  it('records a session whose every hook is a process of its own', async () => {
    const { store, hook, take, outcomes } = agent();
    expect(await hook('SessionStart', { source: 'startup', model: 'opus' })).toEqual({});
    await hook('UserPromptSubmit', { prompt: 'a private prompt' });
    const same = { ...BASH, tool_response: { stdout: 'private output' } };
    const answers = [];
    for (let call = 0; call < 5; call++) answers.push(await hook('PostToolUse', { ...same, tool_use_id: `t${call}` }));
    expect(answers.slice(0, 4)).toEqual([{}, {}, {}, {}]);
    expect(answers[4]).toMatchObject({ hookSpecificOutput: { additionalContext: expect.stringContaining('5 times') } });
    await hook('PostToolUseFailure', {
      ...BASH,
      error: 'Exit code 1\nAuthorization: Bearer abcdefghijklmnopqrstuvwxyz123456',
      duration_ms: 7,
    });
    await hook('Stop');
    await hook('SessionEnd', { reason: 'other' });
    const left = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const text = left.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
    expect(text).not.toMatch(/private|secret-target|abcdefghijklmnop/);

    expect((await take()).code).toBe(0);
    const found = await outcomes();
    const kinds = found.map(({ task, success, issues }) => [task, success, ...issues].join(' '));
    expect(kinds.filter((kind) => kind === 'Bash true')).toHaveLength(5);
    expect(kinds.filter((kind) => kind !== 'Bash true').sort()).toEqual([
      expect.stringMatching(/^Bash false \w/),
      'session true',
      'turn false loop',
    ]);
    expect(
      found.every(({ model, session, source }) => model === 'opus' && session === 's-1' && source === 'claude-code'),
    ).toBe(true);
    expect(found.find(({ task }) => task === 'session')?.endsSession).toBe(true);
    expect(readdirSync(join(store, 'hooks/inbox')).filter((name) => name.endsWith('.json'))).toEqual([]);
    expect(readdirSync(join(store, 'hooks/sessions'))).toEqual([]);
  });

  it('hands the rule on trial to the sessions that are in its fix arm, again when they are resumed', async () => {
    const { folder, store, run, take, outcomes } = agent();
    const rule = await ruleOnTrial(store);
    const start = async (session: string, source: string) => {
      const body = { ...SESSION, session_id: session, hook_event_name: 'SessionStart', source };
      return JSON.stringify((await run(JSON.stringify(body))).answer).includes(rule.slice(0, 30));
    };
    const sessions = Array.from({ length: 8 }, (_, number) => `session-${number}`);
    const told: boolean[] = [];
    for (const session of sessions) told.push(await start(session, 'startup'));
    expect(new Set(told)).toEqual(new Set([true, false]));
    expect(await start('session-0', 'compact')).toBe(told[0]);
    const loop = new RSILoop({ store: new FileStore(store) });
    await loop.ready();
    expect(sessions.map((session) => loop.advice({ session, source: 'claude-code' }).length > 0)).toEqual(told);
    await loop.close();
    await run(JSON.stringify({ ...SESSION, session_id: 'session-0', hook_event_name: 'SessionEnd', reason: 'other' }));
    await take();
    const ends = (await outcomes()).filter(({ session, task }) => session === 'session-0' && task === 'session');
    expect(ends).toMatchObject([{ managed: true, endsSession: true, success: true }]);
    expect(existsSync(join(folder, 'rsi_data/store.json'))).toBe(true);
  });

  it('notes with the end of a turn and of a session whether the rule on trial was followed, and no command', async () => {
    const { store, run, take, outcomes } = agent();
    const rule = 'When you work on “report”, run npm test before you say that you are done.';
    expect(await ruleOnTrial(store, rule)).toBe(rule);
    const tell = (session: string, hook_event_name: string, fields: object = {}) =>
      run(JSON.stringify({ ...SESSION, session_id: session, hook_event_name, ...fields }));
    const given: string[] = [];
    for (let number = 0; number < 40 && given.length < 2; number++) {
      const { answer } = await tell(`s-${number}`, 'SessionStart', { source: 'startup' });
      if (JSON.stringify(answer).includes('npm test')) given.push(`s-${number}`);
    }
    const [first, second] = given;
    if (first === undefined || second === undefined) throw new Error('too few sessions got the rule');
    const done = { tool_response: {} };
    for (const session of [first, second, 's-none'])
      await tell(session, 'PostToolUse', { tool_name: 'Edit', tool_input: { file_path: '/w/a.ts' }, ...done });
    await tell(first, 'Stop');
    await tell(first, 'PostToolUseFailure', {
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      error: 'Exit code 1\none test failed',
    });
    for (const session of [first, second, 's-none']) await tell(session, 'SessionEnd', { reason: 'other' });
    await take();
    const signs = (await outcomes()).flatMap(({ task, session, context }) =>
      task === 'turn' || task === 'session' ? [[task, session, Object.values(context?.followed ?? {})[0]]] : [],
    );
    expect(signs.filter(([, session]) => !String(session).startsWith('before')).sort()).toEqual(
      [
        ['session', first, 'y'],
        ['session', second, 'n'],
        ['session', 's-none', undefined],
        ['turn', first, 'n'],
      ].sort(),
    );
  });

  it('ends with 0 and an empty answer, whatever is wrong', async () => {
    const { folder, run } = agent();
    const said = async (stdin: string, args?: readonly string[]) => {
      const { answer, stderr } = await run(stdin, args);
      expect(answer).toEqual({});
      return stderr;
    };
    expect(await said('')).toMatch(/^rsi hook: the body of the hook is not valid JSON, so nothing was recorded: /);
    expect(await said('not JSON \u001b[31m')).not.toContain('\u001b');
    expect(await said('{}', ['another'])).toMatch(/unknown agent another: name one of claude, codex, gemini, cursor/);
    expect(await said('{"session_id":"../../../etc/passwd","hook_event_name":"UserPromptSubmit"}')).toBe('');
    expect(readdirSync(folder)).toEqual(['rsi_data']);
    // A store that cannot be written, and one that cannot be read.
    writeFileSync(join(folder, 'file'), '');
    const stop = JSON.stringify({ ...SESSION, hook_event_name: 'Stop' });
    expect(await said(stop, ['claude', '--store', join(folder, 'file', 'x')])).toMatch(
      /^rsi hook: nothing of this event is recorded: ENOTDIR/,
    );
  });

  it('tells the person, when a session begins, that nothing is recorded, or where records wait', async () => {
    const { folder, store, run, take, outcomes } = agent();
    const start = JSON.stringify({ ...SESSION, hook_event_name: 'SessionStart', source: 'startup' });
    writeFileSync(join(folder, 'file'), '');
    const lost = await run(start, ['claude', '--store', join(folder, 'file', 'x')]);
    expect(lost.answer).toEqual({
      systemMessage: expect.stringMatching(/^rsi: nothing of this session is recorded: ENOTDIR/),
    });
    expect(lost.stderr).toMatch(/^rsi hook: nothing of this session is recorded: ENOTDIR/);
    // Gemini shows no such line to the person.
    expect((await run(start, ['gemini', '--store', join(folder, 'file', 'x')])).answer).toEqual({});

    mkdirSync(store);
    const format = join(store, 'store.json');
    writeFileSync(format, `${sealLine('"format":99,"kind":"store"}')}\n`);
    const { answer } = await run(start);
    expect(answer.systemMessage).toMatch(
      /^rsi: the loop in .* cannot be read: .*; until then, records wait in .*inbox$/,
    );
    await run(JSON.stringify({ ...SESSION, hook_event_name: 'PostToolUse', ...BASH, tool_response: 'a' }));
    expect((await take()).code).not.toBe(0);
    expect(readdirSync(join(store, 'hooks/inbox')).filter((name) => name.endsWith('.json'))).toHaveLength(1);
    rmSync(format);
    expect((await take()).code).toBe(0);
    expect((await outcomes()).map(({ task }) => task)).toEqual(['Bash']);
  });

  it.runIf(existsSync('/proc/self'))(
    'ends, and does not keep the agent waiting, where a folder takes no entries and says they are missing',
    async () => {
      const { folder } = agent();
      const { code, stdout, stderr } = await runNode([command, 'hook', 'claude', '--store', '/proc/nowhere'], {
        cwd: folder,
        stdin: JSON.stringify({ ...SESSION, hook_event_name: 'Stop' }),
      });
      expect({ code, stdout, stderr }).toEqual({
        ...{ code: 0, stdout: '{}\n' },
        stderr: expect.stringMatching(/^rsi hook: nothing of this event is recorded: ENOENT.*\/proc\/nowhere/),
      });
    },
  );

  it('takes what Codex hands to the program at notify, as an argument', async () => {
    const { store, folder } = agent();
    const body = JSON.stringify({
      type: 'agent-turn-complete',
      'thread-id': 'c-1',
      'turn-id': 't',
      'input-messages': ['private'],
    });
    const { code, stdout } = await runNode([command, 'hook', 'codex', '--store', store, '--no-background', body], {
      cwd: folder,
    });
    expect([code, stdout]).toEqual([0, '{}\n']);
    const [name = ''] = readdirSync(join(store, 'hooks/inbox'));
    expect(JSON.parse(readFileSync(join(store, 'hooks/inbox', name), 'utf8'))).toMatchObject({
      task: 'turn',
      success: true,
      source: 'codex',
      session: 'c-1',
    });
  });

  it.each(['hooks', 'hooks/inbox', 'hooks/sessions'])(
    'removes nothing behind a link that came with the project: %s',
    async (link) => {
      const victim = testFolder();
      const old = new Date(2020, 0);
      for (const name of ['notes.txt', 'sessions/notes.txt']) {
        mkdirSync(join(victim, 'sessions'), { recursive: true });
        writeFileSync(join(victim, name), 'mine');
        utimesSync(join(victim, name), old, old);
      }
      const { store, run } = agent();
      mkdirSync(join(store, link, '..'), { recursive: true });
      symlinkSync(victim, join(store, link));
      const { answer, stderr } = await run(JSON.stringify({ ...SESSION, hook_event_name: 'SessionStart' }));
      expect([answer, stderr]).toEqual([
        { systemMessage: expect.stringMatching(/is a link/) },
        expect.stringMatching(/is a link/),
      ]);
      expect(readdirSync(victim, { recursive: true }).sort()).toEqual(['notes.txt', 'sessions', 'sessions/notes.txt']);
    },
  );

  it.each(['', 'hooks/inbox/rejected', 'hooks/inbox/done', 'hooks/inbox/.processing'])(
    'writes nothing into a folder of the user through a link that a repository brought: %j',
    async (link) => {
      const victim = testFolder();
      const { store, run } = agent(testFolder(), []);
      mkdirSync(join(store, link, '..'), { recursive: true });
      symlinkSync(victim, join(store, link));
      if (link !== '') writeFileSync(join(store, 'hooks/inbox/settings.json'), '{"hooks":{}}');
      const { answer, stderr } = await run(JSON.stringify({ ...SESSION, hook_event_name: 'SessionEnd' }));
      expect([answer, stderr]).toEqual([{}, expect.stringMatching(/is a link/)]);
      expect(readdirSync(victim)).toEqual([]);
    },
  );

  it('keeps its data in the home folder of the user unless told otherwise, not in the open repository', async () => {
    const [home, project] = [testFolder(), testFolder()];
    mkdirSync(join(project, 'rsi_data/hooks/inbox'), { recursive: true });
    const { code } = await runNode([command, 'hook', 'claude', '--no-background'], {
      cwd: project,
      stdin: JSON.stringify({ ...SESSION, hook_event_name: 'Stop' }),
      env: { HOME: home, USERPROFILE: home, CLAUDE_PROJECT_DIR: project },
    });
    expect([code, readdirSync(join(project, 'rsi_data/hooks/inbox'))]).toEqual([0, []]);
    expect(readdirSync(join(home, '.rsi_data/hooks/inbox'))).toHaveLength(1);
  });

  it('leaves no secret in a name that the agent gives, in the inbox or in the notes of the session', async () => {
    const { store, hook } = agent();
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    await hook('PostToolUse', { tool_name: `fetch ${key}`, tool_input: {}, tool_response: 'a' });
    await hook('SessionEnd', { reason: key, session_id: `s ${key}` });
    const left = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const text = left.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
    expect(text).toContain('fetch [redacted:github-token]');
    expect(text).not.toContain(key);
  });

  it('takes nothing from data that came with the repository', async () => {
    const { folder, store, run } = agent(testFolder(), []);
    mkdirSync(join(store, 'hooks/inbox'), { recursive: true });
    writeFileSync(join(store, 'hooks/inbox/planted.json'), '{"task":"planted","success":false}');
    execFileSync('git', ['init', '-q'], { cwd: folder });
    execFileSync('git', ['add', '.'], { cwd: folder });
    const { answer, stderr } = await run(JSON.stringify({ ...SESSION, hook_event_name: 'SessionEnd' }));
    expect([answer, stderr]).toEqual([
      {},
      expect.stringMatching(/^rsi hook: nothing of this event is recorded: git tracks /),
    ]);
    expect(readdirSync(join(store, 'hooks/inbox'))).toEqual(['planted.json']);
  });

  it('empties no file behind a link that came with the project', async () => {
    const victim = join(testFolder(), 'profile');
    writeFileSync(victim, 'mine');
    // Only a hook that may start another process notes when it did.
    const { store, run } = agent(testFolder(), []);
    mkdirSync(join(store, 'hooks'), { recursive: true });
    symlinkSync(victim, join(store, 'hooks/taken'));
    const { stderr } = await run(JSON.stringify({ ...SESSION, hook_event_name: 'SessionEnd' }));
    expect([stderr, readFileSync(victim, 'utf8')]).toEqual([expect.stringMatching(/^rsi hook: .*link/), 'mine']);
  });

  it('takes in what was left when a session ends, by a process of its own', async () => {
    const { hook, outcomes, store } = agent(testFolder(), []);
    await hook('PostToolUse', { ...BASH, tool_response: 'a' });
    await hook('SessionEnd', { reason: 'other' });
    const writers = join(store, 'writers');
    const isOver = async () =>
      existsSync(writers) && (await outcomes()).length === 2 && readdirSync(writers).length === 0;
    for (let waited = 0; waited < 20_000 && !(await isOver()); waited += 100) {
      await new Promise((go) => setTimeout(go, 100));
    }
    expect((await outcomes()).map(({ task }) => task).sort()).toEqual(['Bash', 'session']);
  });
});

/** A store in which a rule for `report` is on trial among sessions of Claude Code; gives the rule. */
async function ruleOnTrial(store: string, written?: string): Promise<string> {
  const ruleWriter = {
    name: 'my writer',
    write: async () => [{ text: written ?? '', file: 'AGENTS', why: 'points are open', confidence: 0.9 }],
  };
  const loop = new RSILoop({ store: new FileStore(store), ...(written !== undefined && { ruleWriter }) });
  await loop.ready();
  const answer = claudeHandler(loop);
  const session = (number: number) => {
    const about = { ...SESSION, session_id: `before-${number}` };
    answer({ ...about, hook_event_name: 'SessionStart', source: 'startup' });
    for (let call = 0; call < 3; call++) {
      loop.observer.recordFailure({
        task: 'report',
        ...{ source: 'claude-code', session: about.session_id, issues: ['incomplete_task'] },
        severity: 'high',
        expected: 'five points',
        actual: `${call} points`,
      });
    }
    answer({ ...about, hook_event_name: 'SessionEnd' });
  };
  for (let number = 0; number < 15; number++) session(number);
  if (written !== undefined) await loop.runCycle();
  const { fixes } = await loop.runCycle();
  const fix = fixes.find(({ change }) => change.kind === 'rule');
  if (fix?.change.kind !== 'rule')
    throw new Error(`no rule was proposed: ${JSON.stringify(fixes.map(({ target }) => target))}`);
  await loop.approve(fix.id, { by: 'ada' });
  for (let number = 20; number < 40; number++) session(number);
  await loop.runCycle();
  await loop.runCycle();
  const now = loop.fixes({ status: 'trial' });
  if (now.length === 0) throw new Error(`no trial: ${JSON.stringify(loop.explain(fix.id).waitsFor ?? loop.fixes())}`);
  await loop.close();
  return fix.change.text;
}
