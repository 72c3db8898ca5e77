import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FixList } from '../../../integrations/cli/fixes/list.js';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import type { PolicyReport } from '../../../integrations/cli/verbs/policy.js';
import { networkError, World } from '../../scenarios/world.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';
import { EVIL, scriptFolder, scriptWaiting } from './scripted-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-fixes-'));
const store = join(folder, 'day');
const waiting = join(folder, 'waiting');
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  await scriptFolder(store);
  await scriptWaiting(waiting);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (...args: readonly string[]) => runCommand([command, ...args], { cwd: folder, env: { TZ: 'UTC' } });

async function list(at: string, ...args: readonly string[]): Promise<FixList> {
  const { code, stdout, stderr } = await rsi('fixes', '--json', '--store', at, ...args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** Every file with its bytes and times. */
function everything(at: string): Record<string, unknown> {
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const stat = statSync(join(at, name));
      return [name, stat.isDirectory() ? 'folder' : `${stat.mtimeMs} ${readFileSync(join(at, name), 'utf8')}`];
    }),
  );
}

function copyOf(from: string, name: string): string {
  const to = join(folder, name);
  cpSync(from, to, { recursive: true });
  return to;
}

describe('rsi fixes', () => {
  it('lists what waits first, with the change in words, how the trial stands and who decided', async () => {
    const { code, stdout, stderr } = await rsi('fixes', '--store', store);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^3 fixes: 1 proposed, 1 trial, 1 confirmed\n/);
    expect(stdout).toMatch(/fix-\w{10} {2}confirmed {2}api_call · network\n {4}up to 2 more attempts after network\n/);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toMatch(
      / is proven to help: [\d.]+ % of \d+ tasks succeeded with it, \d+ % of \d+ without since then: .* succeeded with it, .* without approved by auto on 20/,
    );
    expect(text).toMatch(
      /search · network .* is not proven yet: (?:[\d.]+ % of \d+ tasks|not enough data: ).* without; (?:about [\d,]+ more tasks? to a proof at this pace|too early to say)/,
    );
    expect(text).toMatch(
      / needs about \d+ tasks(?:, \d+ hours,)? to show whether it halves the failures Needs a step in your program: call loop\.run\(/,
    );
    expect(Math.max(...stdout.split('\n').map(columns))).toBeLessThanOrEqual(80);
  });

  it('gives the same as JSON, filtered by status and task', async () => {
    const { fixes, frozen, format } = await list(store);
    expect({ format, frozen }).toEqual({ format: 'rsi-fixes/1', frozen: null });
    expect(fixes.map(({ status, task }) => [status, task])).toEqual([
      ['proposed', EVIL],
      ['trial', 'search'],
      ['confirmed', 'api_call'],
    ]);
    const { fix, control } = fixes[1]?.figures?.inScope ?? {};
    expect((fix?.tasks ?? 0) + (control?.tasks ?? 0)).toBeGreaterThan(10);
    expect((await list(store, '--status', 'trial')).fixes.map(({ task }) => task)).toEqual(['search']);
    expect((await list(store, '--task', 'api_call')).fixes.map(({ status }) => status)).toEqual(['confirmed']);
    expect((await rsi('fixes', '--store', store, '--task', 'none')).stdout).toBe('No fix of none.\n');
    expect((await rsi('fixes', '--store', store, '--status', 'rejected')).stdout).toBe('No fix is rejected.\n');
  });

  it('lets no text from a log act on the terminal', async () => {
    const [hostile] = (await list(store, '--status', 'proposed')).fixes;
    const verbs = [
      ['fixes'],
      ['explain', hostile?.id ?? ''],
      ['policy', EVIL],
      ['fixes', '--json'],
      ['policy', '--json'],
    ];
    for (const { code, stdout } of await Promise.all(verbs.map((args) => rsi(...args, '--store', store)))) {
      expect(code).toBe(0);
      for (const unsafe of ['\u001b', '\u0007', '\u202e']) expect(stdout).not.toContain(unsafe);
    }
  });
});

describe('rsi explain', () => {
  it('tells pattern, reason, forecast, figures with their meaning, history and lessons', async () => {
    const [fix] = (await list(store, '--status', 'confirmed')).fixes;
    const { stdout } = await rsi('explain', fix?.id.slice(4, 9) ?? '', '--store', store);
    expect(stdout).toMatch(/^fix-\w{10} {2}confirmed {2}api_call · network\n/);
    for (const part of [
      /\nchange {4}up to 2 more attempts after network\nundo {6}retries\.network back to 0\n/,
      /\nwhy {7}network ends \d+ % of \d+ tasks/,
      /\npattern {3}\d+ of [\d,]+: [\d.]+ %( \([\d.]+–[\d.]+\)| in this window), /,
      /\nforecast {2}needs about \d+ tasks/,
      /\nwith the fix +\d+ +\d+ +[\d.]+ %\nwithout +\d+ +\d+ +[\d.]+ %\n/,
      /\nresult {4}is proven to help: [\d.]+ % of \d+ tasks succeeded with it, /,
      /\nhistory\n20.* proposed +by auto\n/,
      / confirmed +by auto: proven to help/,
      /\nlessons about these failures\n20.* helped, retries\.network/,
    ]) {
      expect(stdout).toMatch(part);
    }
    expect(Math.max(...stdout.split('\n').map(columns))).toBeLessThanOrEqual(80);
    expect(stdout).not.toMatch(/evidence that|\nratio /);
    const full = await rsi('explain', fix?.id ?? '', '--figures', '--store', store);
    expect(full.stdout).toMatch(/\nhelp \d+ +evidence that it helps; 40 confirms it\n/);
    const explanation = JSON.parse((await rsi('explain', fix?.id ?? '', '--json', '--store', store)).stdout);
    expect(explanation).toMatchObject({
      format: 'rsi-explain/1',
      fix: { id: fix?.id },
      lessons: [{ result: 'helped' }],
    });
  });

  it('says which fixes a beginning can mean, and that there is none', async () => {
    const several = await rsi('explain', 'fix-', '--store', store);
    expect(several).toMatchObject({ code: 2, stdout: '' });
    expect(several.stderr).toMatch(/^error: "fix-" can be fix-\w+, fix-\w+, fix-\w+: give more of the id\n$/);
    const none = await rsi('explain', 'fix-zzz', '--store', store);
    expect(none).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: no fix "fix-zzz": "npx rsi fixes --store ${store}" lists them\n`,
    });
    expect((await rsi('explain', '', '--store', store)).code).toBe(2);
  });
});

describe('rsi policy', () => {
  it('shows every setting with layer and bounds, and over it what fixes set', async () => {
    const { stdout } = await rsi('policy', '--store', store);
    expect(stdout).toMatch(/^setting +value +layer +bounds +where\n/);
    expect(stdout).toMatch(/\nretries\.auth +0 +default +never\n/);
    expect(stdout).toMatch(
      /\nretries\.network +0 +default +0–4 attempts\nretries\.network +2 +confirmed +0–4 attempts +api_call\nretries\.network +2 +trial +0–4 attempts +search\n/,
    );
    expect(stdout).toMatch(/\ntimeout\.taskMs +off +default +50–3\.6M ms\n/);
    expect(Math.max(...stdout.split('\n').map(columns))).toBeLessThanOrEqual(80);
    const report: PolicyReport = JSON.parse((await rsi('policy', 'search', '--json', '--store', store)).stdout);
    expect(report.settings.filter(({ layer }) => layer !== 'default')).toMatchObject([{ scope: { task: 'search' } }]);
  });
});

describe('deciding on the command line', () => {
  it('is seen by a loop that runs, which then tries the fix', async () => {
    const shared = join(folder, 'shared');
    const world = new World(
      { store: new FileStore(shared, { writer: 'agent0000000' }), autoFix: false },
      { startMs: Date.now() - 8 * 3_600_000 },
    );
    const flaky = () => (world.happens(0.2) ? networkError() : undefined);
    await world.work(200, flaky);
    const [fix] = world.loop.fixes();
    const { code, stdout } = await rsi(
      'approve',
      fix?.id ?? '',
      '--by',
      'ada',
      '--reason',
      'worth a try',
      '--store',
      shared,
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${fix?.id} is approved now: its trial begins with the next cycle of the loop\n`,
    });
    await world.work(50, flaky);
    const decision = { kind: 'approved', by: 'ada', reason: 'worth a try' };
    expect(world.loop.fixes()).toMatchObject([{ status: 'trial', decision }]);

    const again = await rsi('approve', fix?.id ?? '', '--store', shared);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(
      /^error: cannot approve fix-\w+, which is on trial: wait for its verdict; "npx rsi rollback \w+/,
    );
    await world.loop.close();
  });

  it('rejects and takes back in the name of the user of the system', async () => {
    const copy = copyOf(waiting, 'rejected');
    const [fix] = (await list(copy)).fixes;
    const { stdout } = await rsi('reject', fix?.id ?? '', '--store', copy);
    expect(stdout).toMatch(/is rejected now/);
    const decision = { kind: 'rejected', by: userInfo().username, reason: 'no reason given' };
    expect((await list(copy)).fixes).toMatchObject([{ status: 'rejected', decision }]);

    const day = copyOf(store, 'taken-back');
    const [confirmed] = (await list(day, '--status', 'confirmed')).fixes;
    await rsi('rollback', confirmed?.id ?? '', '--by', 'ada', '--reason', 'too slow', '--store', day);
    expect((await rsi('fixes', '--task', 'api_call', '--store', day)).stdout).toMatch(
      /rolled-back {2}api_call · network\n.*\n.*is proven to help: .*\n {4}rolled-back by ada on .*: too slow\n/,
    );
    const illegal = await rsi('rollback', confirmed?.id ?? '', '--store', day);
    expect(illegal).toMatchObject({ code: 2, stdout: '' });
    expect(illegal.stderr).toMatch(
      /^error: cannot rollback fix-\w+, which is rolled-back: "npx rsi reconsider \w+ [^"]*" proposes it again\n$/,
    );
    expect((await rsi('approve', fix?.id ?? '', '--by', ' ', '--store', copy)).stderr).toMatch(/--by is empty/);
  });

  it('freezes and unfreezes, and says how many trials were rolled back', async () => {
    const copy = copyOf(store, 'frozen');
    const [trial] = (await list(copy, '--status', 'trial')).fixes;
    const froze = await rsi('freeze', '--by', 'ada', '--reason', 'something is odd', '--store', copy);
    const until = `none starts until npx rsi unfreeze --store ${copy}`;
    expect(froze.stdout.replace(/\s+/g, ' ')).toBe(
      `frozen: 1 running trial was rolled back (${trial?.id} search · network), ${until} `,
    );
    expect((await list(copy)).frozen).toMatchObject({ by: 'ada', reason: 'something is odd' });
    expect((await rsi('fixes', '--store', copy)).stdout).toMatch(/^frozen by ada on .*: something is odd; npx rsi/);
    expect((await rsi('unfreeze', '--store', copy)).stdout).toMatch(/^unfrozen/);
    expect((await rsi('unfreeze', '--store', copy)).stdout).toBe('not frozen: nothing to do\n');
    expect((await list(copy)).frozen).toBeNull();
  });
});

describe('verbs that only read', () => {
  it('leave the folder as it is, to the byte, also where it is damaged', async () => {
    const copy = copyOf(store, 'damaged');
    const [segment = ''] = readdirSync(join(copy, 'journal'));
    const path = join(copy, 'journal', segment);
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[20] = lines[20]?.replace('"n":', '"n"!') ?? '';
    writeFileSync(path, lines.join('\n'));
    // Without the saved state everything is read again.
    for (const state of readdirSync(join(copy, 'state'))) writeFileSync(join(copy, 'state', state), '{"crc":"0"}');
    const before = everything(copy);
    const [fix] = (await list(copy)).fixes;
    for (const args of [['fixes'], ['explain', fix?.id ?? ''], ['policy']]) {
      const { code, stderr } = await rsi(...args, '--store', copy);
      expect({ code, args }).toEqual({ code: 0, args });
      expect(stderr).toMatch(/state.* is damaged: everything is replayed instead\n.*is damaged near byte/);
    }
    expect(everything(copy)).toEqual(before);
  });

  it('end with 2 and make nothing where there is no folder of a loop', async () => {
    const foreign = join(folder, 'foreign');
    mkdirSync(foreign);
    writeFileSync(join(folder, 'file'), '');
    for (const [at, says] of [
      [
        'missing',
        /^error: no folder missing: an agent with a FileStore creates it, and so do record and import; --store names another one\n$/,
      ],
      ['foreign', /^error: foreign is not the folder of a loop, as it has no store\.json/],
      ['file', /^error: file is a file/],
    ] as const) {
      const verbs = [['fixes'], ['policy'], ['explain', 'x'], ['approve', 'x'], ['freeze'], ['unfreeze']];
      for (const { code, stdout, stderr } of await Promise.all(verbs.map((args) => rsi(...args, '--store', at)))) {
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toMatch(says);
      }
    }
    expect(readdirSync(folder)).not.toContain('missing');
    expect(readdirSync(foreign)).toEqual([]);
    expect((await rsi('fixes')).stderr).toMatch(/no folder \.\/rsi_data/);
  });

  it('never take a missing folder for an empty one, whatever the verb', async () => {
    const noun = (verb: string) => (verb === 'repeatable' ? 'task' : 'x');
    const plain = [
      'root-causes',
      'cycle',
      'review',
      'fixes',
      'freeze',
      'unfreeze',
      'policy',
      'rules',
      'advice',
      'export',
      'doctor',
    ];
    const named = ['explain', 'approve', 'apply', 'reject', 'repeatable', 'rollback', 'reconsider'];
    const verbs = [
      ...plain.map((verb) => [verb]),
      ...named.map((verb) => [verb, noun(verb)]),
      ['erase', '--session', 's'],
      ['export', '--format', 'sft'],
    ];
    const ended = await Promise.all(verbs.map((args) => rsi(...args, '--store', 'missing')));
    for (const [index, { code, stdout, stderr }] of ended.entries()) {
      expect({ args: verbs[index], code, stdout }).toEqual({ args: verbs[index], code: 2, stdout: '' });
      expect(stderr).toBe(
        'error: no folder missing: an agent with a FileStore creates it, and so do record and import; --store names another one\n',
      );
    }
  }, 120_000);

  it('fit a terminal of 60 columns', async () => {
    const narrow = (args: readonly string[]) =>
      runCommand([command, ...args], { cwd: folder, env: { TZ: 'UTC', COLUMNS: '60' } });
    const [fix] = (await list(store)).fixes;
    const reports = [['fixes'], ['policy'], ['rules'], ['root-causes'], ['root-causes', '--events'], ['doctor']];
    const verbs = [
      ...[...reports, ['explain', fix?.id ?? '']].map((args) => [...args, '--store', 'day']),
      ['analyze', 'day'],
      ['review', '--store', 'waiting'],
    ];
    const printed = await Promise.all(verbs.map((args) => narrow(args)));
    for (const [index, { stdout }] of printed.entries()) {
      const wide = stdout.split('\n').filter((line) => columns(line) > 60 && !line.includes(folder));
      expect({ args: verbs[index], wide }).toEqual({ args: verbs[index], wide: [] });
    }
  }, 120_000);

  it('refuse a folder of a newer version and say what to do', async () => {
    const copy = copyOf(waiting, 'newer');
    const text = readFileSync(join(copy, 'store.json'), 'utf8');
    const rest = text.slice('{"crc":"00000000",'.length).trimEnd().replace('"format":2', '"format":3');
    writeFileSync(join(copy, 'store.json'), `{"crc":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}\n`);
    const { code, stderr } = await rsi('fixes', '--store', copy);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: .*store.json is the marker of a store of format 3, .*: a newer version wrote it; upgrade rsi-loop\n$/,
    );
  });
});
