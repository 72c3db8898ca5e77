import { describe, expect, it } from 'vitest';
import { type ProveOptions, prove, readLines, Study, type StudyEntry } from '../../../integrations/prove/index.js';
import { MemoryStudyLog } from '../../../integrations/prove/memory-study-log.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

const NAMES = Array.from({ length: 20 }, (_, line) => `rule ${line}`);
const TEXT = `# Rules\n\n${NAMES.map((name) => `- Follow ${name}.\n`).join('')}`;
/** Factor on the odds of failure: rules 0 to 3 help, 4 to 7 harm. */
const oddsOf = (line: number) => (line < 4 ? 0.35 : line < 8 ? 3 : 1);

/** An agent whose tasks fail by the rules in its prompt. */
function agent(seed: number) {
  const random = seededRandom(seed);
  return (prompt: string) => {
    const inPrompt = new Set(prompt.match(/rule \d+/g));
    const odds = NAMES.reduce((product, name, line) => product * (inPrompt.has(name) ? oddsOf(line) : 1), 3);
    return random() < odds / (1 + odds) ? 1 : 0;
  };
}

async function study(options: ProveOptions = {}) {
  const clock = new ManualClock(1_000_000);
  const log = new MemoryStudyLog();
  const open = (text = TEXT) => prove('rules', text, { log, clock, seed: 5, ...options });
  return { clock, log, open, text: await open() };
}

describe('prove', () => {
  it('names each line sooner with an error rate for each by itself, and tells which lines look useless', async () => {
    const named = async (options: ProveOptions) => {
      const { text, clock } = await study(options);
      const run = agent(2);
      for (let session = 0; session < 260; session++) {
        await text.end(`s${session}`, { failures: run(await text.text(`s${session}`)) });
        await clock.advance(6 * 3_600_000);
      }
      const { lines, errorRate } = await text.report();
      const decided = lines.filter(({ verdict }) => verdict !== 'undecided');
      return {
        errorRate,
        decided: decided.length,
        useless: lines.flatMap((one, at) => (one.looksUseless ? [at] : [])),
      };
    };
    const strict = await named({});
    const own = await named({ errorRate: 0.1 });
    expect(own.errorRate).toBe(0.1);
    expect(strict.errorRate).toBeUndefined();
    expect(own.decided).toBeGreaterThan(strict.decided);
    expect(own.useless.length).toBeGreaterThan(4);
    expect(
      own.useless.every((line) => line >= 4),
      'none of those that help',
    ).toBe(true);
  });

  it('says that a failure which is rarely met is not testable here', async () => {
    const { text, clock } = await study({ errorRate: 0.1 });
    for (let session = 0; session < 60; session++) {
      await text.text(`s${session}`);
      await text.end(`s${session}`, { tasks: 8, failures: session % 10 === 0 ? 1 : 0 });
      await clock.advance(6 * 3_600_000);
    }
    const { lines } = await text.report();
    // A line may have been lucky so far.
    expect(lines.filter(({ notTestableHere }) => notTestableHere).length).toBeGreaterThan(10);
    for (const { weeksNeeded = 0, notTestableHere } of lines) expect(weeksNeeded > 12).toBe(notTestableHere === true);
  });

  it('judges the sessions of each model by themselves, beside all together', async () => {
    const log = new MemoryStudyLog();
    const one = await Study.open(log, 'models', [{ text: 'a', tokens: 1 }], { clock: new ManualClock(1), seed: 3 });
    for (let session = 0; session < 200; session++) {
      const model = session % 2 === 0 ? 'large' : 'small';
      const [hasLine] = await one.begin(`s${session}`, { model });
      await one.end(`s${session}`, { failures: model === 'small' && !hasLine ? 1 : 0 });
    }
    const models = (await one.report()).lines[0]?.models.map(({ model, verdict }) => [model, verdict]);
    expect(models).toEqual([
      ['large', undefined],
      ['small', 'helps'],
    ]);
  });

  it('goes on with the evidence of an earlier study, also with evidence against a line', async () => {
    const log = new MemoryStudyLog();
    const lines = [
      { text: 'a', tokens: 1, earlier: { eHelps: 12, eHarms: 0.1 } },
      { text: 'b', tokens: 1, earlier: { eHelps: 0.2, eHarms: 0.4 } },
      { text: 'c', tokens: 1 },
    ];
    const one = await Study.open(log, 'again', lines, { clock: new ManualClock(1), seed: 3, errorRate: 0.1 });
    const before = (await one.report()).lines;
    expect(before.map(({ eHelps }) => Math.round(eHelps * 100) / 100)).toEqual([12, 0.2, 1]);
    for (let session = 0; before[0] && session < 20; session++) {
      const [hasLine] = await one.begin(`s${session}`);
      await one.end(`s${session}`, { failures: hasLine ? 0 : 1 });
    }
    const after = (await one.report()).lines;
    expect(after[0]).toMatchObject({ verdict: 'helps' });
    expect(after[0]?.decidedAfter).toBeLessThan(6);
  });

  it('keeps lines out of the draw whose state is fixed for a session', async () => {
    const one = await Study.open(
      new MemoryStudyLog(),
      'fixed',
      [
        { text: 'a', tokens: 1 },
        { text: 'b', tokens: 1 },
      ],
      {
        clock: new ManualClock(1),
        seed: 3,
      },
    );
    for (let session = 0; session < 10; session++) {
      expect((await one.begin(`s${session}`, { fixed: ['O'] }))[0]).toBe(false);
      await one.end(`s${session}`, { failures: 1 });
    }
    expect((await one.report()).lines.map(({ sessions }) => sessions)).toEqual([0, 10]);
  });

  it('counts how often sessions did what a line asks, with it and without it', async () => {
    const one = await Study.open(new MemoryStudyLog(), 'kept', [{ text: 'a', tokens: 1 }], {
      clock: new ManualClock(1),
      seed: 3,
    });
    let given = 0;
    for (let session = 0; session < 20; session++) {
      if ((await one.begin(`s${session}`))[0]) given++;
      await one.end(`s${session}`, { failures: 0, followed: session < 5 ? '-' : session < 8 ? 'y' : 'n' });
    }
    const counts = (await one.report()).lines[0]?.followed;
    expect((counts?.with.yes ?? 0) + (counts?.without.yes ?? 0)).toBe(3);
    expect((counts?.with.no ?? 0) + (counts?.without.no ?? 0)).toBe(12);
    expect(counts?.with.no).toBeLessThanOrEqual(given);
    await expect(one.end('s1', { failures: 0, followed: 'yy' })).rejects.toThrow('for each of the 1 lines');
  });

  it('names the lines that help, those that harm, and none of the others', async () => {
    const { text, clock } = await study();
    const run = agent(3);
    for (let session = 0; session < 900; session++) {
      const failures = run(await text.text(`s${session}`));
      await text.end(`s${session}`, { failures, tokens: 100, durationMs: 5 });
      await clock.advance(1_000);
    }
    const { lines, sessions, tokensOfHarm } = await text.report();
    expect(sessions).toBe(900);
    const named = (wanted: string) => lines.flatMap(({ verdict }, line) => (verdict === wanted ? [line] : []));
    expect(named('helps')).toEqual([0, 1, 2, 3]);
    expect(named('harms')).toEqual([4, 5, 6, 7]);
    expect(named('undecided')).toHaveLength(12);
    expect(tokensOfHarm).toBe(4 * (lines[4]?.tokens ?? 0));
    for (const { verdict, effect, sessionsNeeded, costs } of lines) {
      expect(effect.low).toBeLessThanOrEqual(effect.value);
      expect(effect.value).toBeLessThanOrEqual(effect.high);
      if (verdict === 'helps') expect(effect.high).toBeLessThanOrEqual(0);
      if (verdict === 'harms') expect(effect.low).toBeGreaterThanOrEqual(0);
      expect(sessionsNeeded === undefined).toBe(verdict !== 'undecided');
      expect(costs.tokens).toEqual({ with: 100, without: 100 });
    }
    // No further session gets a line that harms, and each gets those that help.
    const next = await text.text('next');
    expect([0, 1, 2, 3].every((line) => next.includes(`rule ${line}.`))).toBe(true);
    expect([4, 5, 6, 7].some((line) => next.includes(`rule ${line}.`))).toBe(false);
  });

  it('draws its seed from the random source that it was given', async () => {
    const clock = new ManualClock(1_000_000);
    const texts = async (random: () => number) => {
      const drawn = await prove('rules', TEXT, { clock, random });
      return Promise.all(['a', 'b', 'c'].map((session) => drawn.text(session)));
    };
    expect(await texts(() => 0.25)).toEqual(await texts(() => 0.25));
    expect(await texts(() => 0.25)).not.toEqual(await texts(() => 0.75));
  });

  it('gives a session the same text in every process, and draws lines independently', async () => {
    const { text, open } = await study();
    const again = await open();
    const texts: string[] = [];
    for (let session = 0; session < 400; session++) {
      texts.push(await text.text(`s${session}`));
      expect(await again.text(`s${session}`)).toBe(texts[session]);
    }
    const has = (line: number) => texts.map((one) => one.includes(`rule ${line}.`));
    const share = (values: readonly boolean[]) => values.filter(Boolean).length / values.length;
    for (const line of NAMES.keys()) expect(share(has(line))).toBeCloseTo(0.5, 0);
    const [a, b] = [has(2), has(3)];
    expect(share(a.map((isIn, at) => isIn === b[at]))).toBeCloseTo(0.5, 0);
  });

  it('writes the draw before the session gets its text', async () => {
    const { log, text } = await study();
    const given = await text.text('s');
    const began = (await log.load('rules')).find((entry) => entry.kind === 'began');
    expect(began).toMatchObject({ session: 's' });
    const states = began?.kind === 'began' ? [...began.lines] : [];
    expect(states.map((state) => state === 'i')).toEqual(NAMES.map((name) => given.includes(`${name}.`)));
  });

  it('waits for a session that is still open, and counts it as failed after its deadline', async () => {
    const { text, clock, open } = await study({ deadlineMs: 60_000 });
    await text.text('open');
    await text.text('quick');
    await text.end('quick', { failures: 0 });
    expect(await text.report()).toMatchObject({ sessions: 0, waiting: 2 });
    await clock.advance(121_000);
    expect(await text.report()).toMatchObject({ sessions: 2, waiting: 0 });
    await text.end('open', { failures: 0 });
    const report = await text.report();
    expect(report).toMatchObject({ sessions: 2, waiting: 0 });
    expect(await (await open()).report(), 'a replay that knows the late end').toEqual(report);
  });

  it('gives the same figures after a replay', async () => {
    const { text, open } = await study();
    const run = agent(2);
    for (let session = 0; session < 120; session++) {
      const failures = run(await text.text(`s${session}`));
      await text.end(`s${session}`, { failures });
    }
    expect(await (await open()).report()).toEqual(await text.report());
  });

  it('ignores ends of sessions that never began, second ends and second beginnings', async () => {
    const { text, log } = await study();
    await text.end('unknown', { failures: 1 });
    await text.text('s');
    await text.end('s', { failures: 0 });
    await text.end('s', { failures: 1 });
    const other: StudyEntry = { kind: 'began', session: 's', atMs: 0, lines: 'o'.repeat(20) };
    await log.add('rules', other);
    expect((await text.report()).sessions).toBe(1);
    expect((await text.text('s')).match(/rule/g)?.length).not.toBe(0);
  });

  it('rejects another text under the same name, and impossible numbers', async () => {
    const { open, text } = await study();
    await expect(open(TEXT.replace('rule 3', 'rule three'))).rejects.toThrow(/the study rules has other lines/);
    await expect(prove('x', '- Never do this.\n')).rejects.toThrow(/nothing to prove/);
    await expect(prove('x', TEXT, { share: 0.9 })).rejects.toThrow(/share is 0.9: give a number from 0.05 to 0.5/);
    await text.text('s');
    await expect(text.end('s', { failures: 2 })).rejects.toThrow(/failures is 2: give a whole number from 0 to tasks/);
    await expect(text.end('s', { tasks: 0, failures: 0 })).rejects.toThrow(/tasks is 0/);
    await expect(text.end('s', { failures: 0, tokens: -1 })).rejects.toThrow(/tokens is -1/);
  });

  it('keeps lines that are not under test in every session', async () => {
    const mixed = `${TEXT}- Never delete data.\n`;
    expect(readLines(mixed).at(-1)?.kept).toBe('safety');
    const text = await prove('mixed', mixed, { seed: 1 });
    for (let session = 0; session < 30; session++) expect(await text.text(`s${session}`)).toContain('Never delete');
  });
});
