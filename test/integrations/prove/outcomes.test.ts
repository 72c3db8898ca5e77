import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { RSILoop } from 'rsi-loop';
import { namedTexts } from 'rsi-loop/prompts';
import { describe, expect, it } from 'vitest';
import { renderStudy } from '../../../integrations/cli/prove/render-prove.js';
import { countTranscript, type TranscriptCounts } from '../../../integrations/cli/prove/transcript-counts.js';
import { AmountRanks } from '../../../integrations/prove/amount-ranks.js';
import {
  type ProveOptions,
  prove,
  provePrompt,
  proveSet,
  type StudyReport,
} from '../../../integrations/prove/index.js';
import { Judge } from '../../../integrations/prove/line-judge.js';
import { MemoryStudyLog } from '../../../integrations/prove/memory-study-log.js';
import { drawLine } from '../../../integrations/prove/study.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';
import { testFolder } from '../../node/folder.js';

const TEXT = '# Rules\n\n- Read only what you need.\n- Be polite.\n- Print everything.\n';
const LOOK = { width: 100, paint: (_: string, text: string) => text, next: (command: string) => `rsi ${command}` };

/** Sessions whose tokens have a heavy tail. The first rule halves them, the last one doubles them. */
async function studied(options: ProveOptions, sessions = 300, factor = 2) {
  const clock = new ManualClock(1_000_000);
  const study = await prove('rules', TEXT, { clock, seed: 3, ...options });
  const random = seededRandom(4);
  for (let session = 0; session < sessions; session++) {
    const text = await study.text(`s${session}`);
    const lines = (text.includes('only what') ? 1 / factor : 1) * (text.includes('everything') ? factor : 1);
    const tasks = 1 + Math.floor(random() * 12);
    const tokens = (tasks * 5_000 * lines) / (1 - random()) ** 1.2;
    await study.end(`s${session}`, { tasks, failures: 0, tokens, durationMs: 60_000 * tasks * lines });
    await clock.advance(3_600_000);
  }
  return { study, clock, report: await study.report() };
}

const verdicts = ({ lines }: StudyReport) => lines.map(({ verdict }) => verdict);
const shown = (report: StudyReport, counts: 'tokens' | 'claims' | 'tasks') =>
  renderStudy({ name: 'CLAUDE.md', part: 'line', state: 'running', kept: 0, counts, report }, LOOK as never);

describe('a study of tokens', () => {
  it('names the line that halves them and the one that doubles them, and shows the tokens with and without it', async () => {
    const { report } = await studied({ outcome: 'tokens', errorRate: 0.1 });
    expect(verdicts(report)).toEqual(['helps', 'undecided', 'harms']);
    expect(report.lines[1]?.looksUseless).toBe(true);
    const [saving] = report.lines;
    expect(saving?.level?.with).toBeLessThan((saving?.level?.without ?? 0) * 0.75);
    const text = shown(report, 'tokens').replace(/\s+/g, ' ');
    expect(text).toMatch(/1 line earns its tokens.*median tokens a turn: [\d,]+ with it, [\d,]+ without/);
    expect(text).toContain('1 line looks useless: with it, less than a third of the tokens is saved');
    expect(text).toContain('A line that saves a third of the tokens looks useless with a probability of at most 10 %');
    expect(shown(report, 'tasks')).toContain('tokens a task');
  });

  it('does not look at failures, nor a study of failures at tokens', async () => {
    expect(verdicts((await studied({ errorRate: 0.1 })).report)).toEqual(['undecided', 'undecided', 'undecided']);
  });

  it('counts no session that says nothing about tokens, and one that never ends as the most expensive', async () => {
    const { study, clock, report } = await studied({ outcome: 'tokens' }, 20, 1);
    await study.text('quiet');
    await study.end('quiet', { failures: 0 });
    expect((await study.report()).sessions).toBe(report.sessions);
    await study.text('lost');
    await clock.advance(3 * 86_400_000);
    const after = await study.report();
    expect(after.sessions).toBe(report.sessions + 1);
    expect(JSON.stringify(after)).not.toContain('Infinity');
  });

  it('goes on with the outcome that it began with, and refuses another one', async () => {
    const log = new MemoryStudyLog();
    await prove('rules', TEXT, { log, outcome: 'tokens' });
    expect((await (await prove('rules', TEXT, { log })).report()).outcome).toBe('tokens');
    const other = prove('rules', TEXT, { log, outcome: 'costUsd' });
    await expect(other).rejects.toThrow('the study rules compares tokens, not costUsd');
    const set = { log, clock: new ManualClock(1) };
    const loop = new RSILoop();
    await proveSet(loop, 'tools', ['read', 'write'], set);
    await expect(proveSet(loop, 'tools', ['read', 'write'], { ...set, outcome: 'tokens' })).rejects.toThrow(
      'the study tools compares failures, not tokens',
    );
    await loop.close();
  });

  it('counts the tokens of the tasks of a loop: every line of a prompt costs some', async () => {
    const loop = new RSILoop({ prompts: namedTexts({ system: { text: TEXT } }) });
    const study = await provePrompt(loop, 'system', { outcome: 'tokens', errorRate: 0.1, seed: 2 });
    for (let session = 0; session < 80; session++) {
      await study.begin(`s${session}`);
      const { prompts, end } = loop.begin('ask', { session: `s${session}` });
      end({ success: true, tokens: { input: prompts.system?.length ?? 0, output: 5 } });
      loop.endSession(`s${session}`);
    }
    const judged = () => study.report().then((report) => report.sessions);
    await expect.poll(judged).toBe(80);
    const report = await study.report();
    expect(verdicts(report)[0]).toBe('harms');
    expect(shown(report, 'tasks')).toMatch(/median tokens a task: \d+ with it, \d+ without/);
    await loop.close();
  });

  it('is refused for an outcome that no session has', async () => {
    const outcome = 'claims' as never; // a caller without types
    await expect(prove('rules', TEXT, { outcome })).rejects.toThrow(
      'give one of failures, durationMs, tokens, costUsd',
    );
  });
});

const SESSIONS = resolve(import.meta.dirname, '../../../../shared/data/sessions');
const LINES = 20;
const STUDIES = 12;

/** Returns how many useless lines 12 studies of real sessions name, in a random order and again and again. */
function namedOf(real: readonly TranscriptCounts[], of: 'tokens' | 'interrupts'): number {
  let named = 0;
  for (let seed = 1; seed <= STUDIES; seed++) {
    const random = seededRandom(seed);
    const judge = new Judge(LINES, { share: 0.5, errorRate: 0.1, outcome: of === 'tokens' ? of : 'failures' });
    for (let session = 0; session < 120; session++) {
      const { turns, tokens, interrupts } = real[Math.floor(random() * real.length)] as TranscriptCounts; // within it
      const states = judge.verdicts.map((verdict, line) => {
        if (verdict === 'undecided') return drawLine({ seed, share: 0.5 }, line, `s${session}`);
        return verdict === 'harms' ? 'O' : 'I';
      });
      const counts = { tasks: turns, failures: Math.min(turns, interrupts) };
      judge.add({ lines: states.join(''), ...counts, ...(of === 'tokens' && { amount: tokens / turns }) });
    }
    named += judge.verdicts.filter((verdict) => verdict !== 'undecided').length;
  }
  return named;
}

describe.runIf(existsSync(SESSIONS))('studies of useless lines on real sessions', () => {
  it('name at most a tenth of the lines, by tokens and by interrupts', async () => {
    const folder = testFolder();
    const names = readdirSync(SESSIONS).filter((name) => name.endsWith('.gz'));
    const real: TranscriptCounts[] = [];
    for (const name of names) {
      const path = join(folder, name.slice(0, -3));
      writeFileSync(path, gunzipSync(readFileSync(join(SESSIONS, name))));
      real.push(await countTranscript(path, 0));
    }
    for (const of of ['tokens', 'interrupts'] as const) {
      const named = namedOf(real, of);
      expect(named, of).toBeGreaterThan(0);
      expect(named, of).toBeLessThanOrEqual(0.1 * STUDIES * LINES);
    }
  });
});

describe('ranks of amounts', () => {
  it('are the same for amounts that are a thousand times as large, and even out drift', () => {
    const rank = (scale: number) => {
      const ranks = new AmountRanks();
      for (const each of [3, 1, 4, 1, 5]) ranks.add(each * scale);
      return [0, 1, 3.5, 9].map((each) => ranks.asTasks(each * scale).failures);
    };
    expect(rank(1_000)).toEqual(rank(1));
    expect(rank(1)).toEqual([0.25, 0.75, 1.75, 2.75]);
    const ranks = new AmountRanks();
    for (let level = 0; level < 1_000; level++) ranks.add(level);
    expect(ranks.asTasks(900).failures).toBeCloseTo(1.5, 1);
  });
});

describe('a study of claims', () => {
  it('says how many claims in a hundred turns there were with each line and without', () => {
    const line = { text: '- Say what you ran.', tokens: 5, verdict: 'helps', models: [], costs: {}, sessions: 80 };
    const figures = { effect: { value: -0.06, low: -0.1, high: -0.01 }, level: { with: 0.03, without: 0.094 } };
    const counts = { eHelps: 500, eHarms: 0.1, decidedAfter: 80 };
    const report = { sessions: 80, waiting: 0, startedMs: 0, tokensOfHarm: 0 };
    const text = shown({ ...report, lines: [{ ...line, ...figures, ...counts } as never] }, 'claims');
    expect(text).toContain('how many more points of the turns claim what was not seen with the line');
    expect(text.replace(/\s+/g, ' ')).toContain('claims not seen: 3 in 100 turns with it, 9.4 without');
  });
});
