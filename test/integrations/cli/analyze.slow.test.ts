import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../../integrations/cli/analyze/report.js';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import { ended, startNode } from '../../run-node.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const DAY_MS = 86_400_000;
const START = Date.UTC(2025, 8, 1);
const folder = mkdtempSync(join(tmpdir(), 'rsi-analyze-'));
const surroundings = { cwd: folder, env: { TZ: 'UTC' } };
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (args: readonly string[], stdin = '') => runCommand([command, ...args], { ...surroundings, stdin });

async function report(args: readonly string[], stdin?: string): Promise<Report> {
  const { code, stdout, stderr } = await rsi(['analyze', '--json', ...args], stdin);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Thirty days of two tools and two models; `search` begins to fail on the slow model in the second half. */
function month(startMs = START): object[] {
  return Array.from({ length: 1_200 }, (_, index) => {
    const tool = index % 2 === 0 ? 'search' : 'fetch';
    const model = index % 3 === 0 ? 'slow' : 'quick';
    const failed = tool === 'search' ? model === 'slow' && index > 600 : index % 100 === 1;
    return {
      task: tool,
      tool,
      model,
      success: !failed,
      timestamp: new Date(startMs + index * (DAY_MS / 40)).toISOString(),
      ...(failed && { error: tool === 'search' ? `connect ECONNREFUSED 10.0.0.${index % 9}:443` : '404 Not Found' }),
    };
  });
}

describe('rsi analyze', () => {
  it('says what fails most, for which model, how often of how many, since when, and whether it is rising', async () => {
    const { found, patterns, reach, read } = await report(['-'], lines(month()));
    expect(found).toBe(2);
    expect(read).toMatchObject({ outcomes: 1_200, failures: 111, files: 1 });
    expect(reach).toEqual({ fromMs: START, toMs: START + 1_199 * (DAY_MS / 40) });
    const [search, fetch] = patterns;
    expect(search).toMatchObject({ task: 'search', issue: 'network', count: 99, of: 600, recurring: true });
    expect(['new', 'rising']).toContain(search?.trend);
    expect(search?.firstSeenMs).toBe(START + 606 * (DAY_MS / 40));
    expect(search?.models).toEqual([
      { name: 'slow', failures: 99, of: 200 },
      { name: 'quick', failures: 0, of: 400 },
    ]);
    expect(search?.wordings).toBe(1);
    expect(search?.messages[0]).toMatchObject({ count: 99 });
    expect(search?.messages[0]?.example).toMatch(/^connect ECONNREFUSED 10\.0\.0\.\d:443$/);
    expect(fetch).toMatchObject({ task: 'fetch', issue: 'not_found', count: 12, of: 600, trend: 'steady' });
    expect(fetch?.rate.value).toBeCloseTo(0.02);
    expect(fetch?.rate.low).toBeGreaterThan(0.01);
  });

  it('prints the same for people, in lines that fit 80 columns and without colours', async () => {
    const { code, stdout, stderr } = await rsi(['analyze'], lines(month()));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^1,200 outcomes in 1 file, 111 failed \(9\.3 %\)\n2025-09-01 to 2025-09-30: 30 d/);
    expect(stdout).toMatch(
      / 1 {2}search · network +99 of 600 +17 % +7\.6–32 .* 16 Sep\n.*models slow 99 of 200, quick 0 of 400/,
    );
    expect(stdout).toMatch(/ 2 {2}fetch · not_found +12 of 600 +2\.0 % +1\.\d–3\.\d +\S steady +1 Sep\n/);
    expect(stdout).toContain('99× connect ECONNREFUSED');
    expect(stdout).not.toContain('\u001b');
    expect(Math.max(...stdout.split('\n').map(columns))).toBeLessThanOrEqual(80);
  });

  it('shows patterns of logs that are years old, and of a year without losing its first day', async () => {
    const year = Array.from({ length: 365 }, (_, index) => ({
      task: 'nightly',
      success: index % 5 !== 0,
      at: Date.UTC(2019, 0, 1) + index * DAY_MS,
      ...(index % 5 === 0 && { error: 'ETIMEDOUT' }),
    }));
    const { patterns } = await report(['-'], lines(year));
    expect(patterns[0]).toMatchObject({ task: 'nightly', issue: 'timeout', count: 73, of: 365, trend: 'steady' });
    expect(patterns[0]?.firstSeenMs).toBe(Date.UTC(2019, 0, 1));
  });

  it('counts only what happened since --since, and says so when that is nothing', async () => {
    const file = join(folder, 'since.jsonl');
    writeFileSync(file, lines(month(Date.now() - 30 * DAY_MS)));
    const { read, patterns } = await report(['--since', '3d', file]);
    expect(read.outcomes + read.older).toBe(1_200);
    expect(read.outcomes).toBeGreaterThan(100);
    expect(read.outcomes).toBeLessThan(130);
    expect(patterns[0]?.of).toBeLessThan(70);

    writeFileSync(file, lines(month()));
    const { code, stdout } = await rsi(['analyze', '--since', '3d', file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing since .*: leave out --since to see the 1,200 older outcomes\.$/m);
  });

  it('shows as many patterns as --limit says and tells how many there are', async () => {
    const { stdout } = await rsi(['analyze', '--limit', '1'], lines(month()));
    expect(stdout).toContain('search · network');
    expect(stdout).not.toContain('fetch · not_found');
    expect(stdout).toContain('1 more: --limit 2 shows all');
  });

  it('says that nothing failed', async () => {
    const { code, stdout } = await rsi(['analyze'], lines([{ task: 'a', success: true }]));
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing failed.');
  });

  it('leaves dates in the future and cancelled tasks out of every count, and says so', async () => {
    const { read, reach, patterns } = await report(
      ['-'],
      lines([
        ...month().slice(0, 50),
        { task: 'late', success: false, error: 'ECONNRESET', at: Date.now() + 30 * DAY_MS },
        {
          task: 'search',
          success: false,
          error: { name: 'AbortError', message: 'This operation was aborted' },
          at: START,
        },
      ]),
    );
    expect(read).toMatchObject({ outcomes: 50, misdated: 1, cancelled: 1 });
    expect(reach?.toMs).toBeLessThan(START + 2 * DAY_MS);
    expect(patterns.map(({ task }) => task)).not.toContain('late');
  });

  it('lets no text from a log act on the terminal', async () => {
    const evil = '\u001b]0;owned\u0007\u001b[2Jgone \u202eright to left\u009b31m\nnext line';
    const { stdout } = await rsi(
      ['analyze'],
      lines([{ task: `t\u001b[31m\u202e`, model: `m\u0007`, success: false, error: evil }]),
    );
    expect(stdout).toContain('gone ·right to left');
    for (const unsafe of ['\u001b', '\u0007', '\u009b', '\u202e']) expect(stdout).not.toContain(unsafe);
  });
});

describe('rsi analyze on bad input', () => {
  it('names file and line of what it cannot read, analyzes the rest and ends well', async () => {
    const file = join(folder, 'torn.jsonl');
    const huge = JSON.stringify({ task: 'huge', success: false, error: 'x'.repeat(10_000_000) });
    writeFileSync(file, `${lines(month().slice(0, 10))}[1]\n42\nnot json\n${huge}\n{"task":"fetch","succ`);
    const { code, stdout, stderr } = await rsi(['analyze', file, join(folder, 'missing.jsonl')]);
    expect(code).toBe(0);
    for (const line of [11, 12, 13, 15]) expect(stderr).toContain(`${file}:${line}: `);
    expect(stderr).not.toContain(`${file}:14`);
    expect(stderr).toMatch(/missing\.jsonl: no such file/);
    expect(stdout).toMatch(/^11 outcomes in 1 file/);
    expect(stdout).toContain('4 lines and 1 file skipped');
  });

  it('ends with 2 only when nothing could be read', async () => {
    mkdirSync(join(folder, 'empty'), { recursive: true });
    for (const [path, words] of [
      ['missing', /^error: nothing to read: there is no file or folder missing\n$/],
      ['empty', /^empty: .*\nNothing was found to read\. Name a folder/],
    ] as const) {
      const { code, stdout, stderr } = await rsi(['analyze', path]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(words);
    }
    expect((await rsi(['analyze'], '')).code).toBe(2);
  });

  it('names a few unreadable lines and counts the rest', async () => {
    const { code, stdout, stderr } = await rsi(['analyze'], lines(month().slice(0, 5)) + '[]\n'.repeat(500));
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toHaveLength(11);
    expect(stderr).toContain('and 490 more places that could not be read');
    expect(stdout).toContain('500 lines skipped');
  });

  it.for([
    'analyze --since yesterday .',
    'analyze --limit 0 .',
    'analyze --limit ten .',
    'analyze --colour .',
    'analyse .',
  ])('ends with 2 and says what to do: rsi %s', async (args) => {
    const { code, stdout, stderr } = await rsi(args.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/--help/);
  });
});

describe('rsi', () => {
  it('prints help and version, and suggests the verb that was meant', async () => {
    expect((await rsi(['--help'])).stdout).toMatch(/Usage: rsi .*analyze/s);
    expect((await rsi(['analyze', '--help'])).stdout).toMatch(/--since/);
    expect((await rsi(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await rsi(['analyse'])).stderr).toContain('Did you mean analyze?');
  });

  it('ends without a word when its reader closes early', async () => {
    const file = join(folder, 'pipe.jsonl');
    writeFileSync(file, lines(month()));
    const child = startNode([command, 'analyze', '--json', file], surroundings);
    child.stdout.destroy();
    expect(await ended(child)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('reports what was read so far on Ctrl-C', async () => {
    const child = startNode([command, 'analyze', '-'], surroundings);
    const result = ended(child);
    // More than pipe and stream can hold, so when it has been written the command has counted a part of it.
    await new Promise((done) => child.stdin.write(lines(month()).repeat(20), done));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await result;
    expect(code).toBe(130);
    expect(stdout).toMatch(/outcomes in .*\n.*\nstopped early/);
    expect(stderr).toContain('Ctrl-C again ends immediately');
  });
});

const samples = resolve(import.meta.dirname, '../../../../shared/data/traces/claude-code');

describe.skipIf(!existsSync(samples))('rsi analyze on real transcripts', () => {
  it('finds the failing tools and does not blame a refusal on the agent', async () => {
    const { read, leftOut, patterns, skipped } = await report([samples]);
    expect(read.outcomes).toBeGreaterThan(100);
    expect(read.failures).toBeGreaterThan(0);
    expect(read.failures).toBeLessThan(read.outcomes / 2);
    expect(skipped.lines).toBe(0);
    expect(Object.values(leftOut).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    expect(patterns[0]).toMatchObject({ task: 'Bash', issue: 'tool_failure' });
    expect(patterns[0]?.models.length).toBeGreaterThan(0);
    const texts = patterns.flatMap(({ messages }) => messages.map(({ example }) => example ?? ''));
    expect(texts.some((text) => /doesn't want to proceed/.test(text))).toBe(false);
  });
});
