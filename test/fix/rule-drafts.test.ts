import { describe, expect, it } from 'vitest';
import type { RuleDraft } from '../../src/fix/rule-draft.js';
import { RuleDrafts, type RuleQuestion } from '../../src/fix/rule-drafts.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { somePattern } from './fixtures.js';

const DAY_MS = 86_400_000;
const GOOD: RuleDraft = {
  text: 'Count each total twice before you answer.',
  file: 'AGENTS',
  why: 'totals were wrong',
  confidence: 0.7,
};

const question = (id: string): RuleQuestion => ({
  pattern: somePattern({ id }),
  templates: [],
  existing: [],
  files: ['AGENTS', 'TOOLS'],
});
const questions = (...ids: string[]) => ids.map(question);

/** One question that the writer was asked, to be answered by the test. */
interface Asked {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly answer: (drafts: unknown) => void;
  readonly fail: (error: unknown) => void;
}

function setUp() {
  const clock = new ManualClock();
  const asked: Asked[] = [];
  const problems: string[] = [];
  const drafts = new RuleDrafts({
    clock,
    files: ['AGENTS', 'TOOLS'],
    report: (message) => problems.push(message),
    writer: {
      name: 'pen',
      write: ({ pattern: { id } }, { signal }) =>
        new Promise<readonly RuleDraft[]>((resolve, fail) => {
          asked.push({ id, signal, answer: (given) => resolve(given as readonly RuleDraft[]), fail });
          signal.addEventListener('abort', () => fail(signal.reason));
        }),
    },
  });
  const ids = () => asked.map(({ id }) => id).join('');
  /** Asks, answers the newest questions with these drafts, and waits until the cycle goes on. */
  const cycle = async (about: readonly RuleQuestion[], given?: unknown) => {
    const before = asked.length;
    let isOver = false;
    const asking = drafts.ask(about).then(() => {
      isOver = true;
    });
    if (given !== undefined) for (const one of asked.slice(before)) one.answer(given);
    await clock.advance(0);
    const waits = !isOver;
    await clock.advance(50);
    await asking;
    return { waits };
  };
  return { clock, asked, problems, drafts, cycle, ids };
}

describe('a writer of rules', () => {
  it('is asked four questions at the same time, in the given order', async () => {
    const { cycle, asked, ids, clock } = setUp();
    await cycle(questions('a', 'b', 'c', 'd', 'e'));
    expect(ids()).toBe('abcd');
    await cycle(questions('a', 'e'));
    expect(ids()).toBe('abcd');
    asked[1]?.answer([GOOD]);
    await clock.advance(0);
    await cycle(questions('a', 'e'));
    expect(ids()).toBe('abcde');
  });

  it('is asked about a pattern once a day, whatever it answered', async () => {
    const { cycle, ids, clock } = setUp();
    await cycle(questions('a'), []);
    await clock.advance(DAY_MS - 51);
    await cycle(questions('a'));
    expect(ids()).toBe('a');
    await cycle(questions('a'));
    expect(ids()).toBe('aa');
  });

  it('holds up a cycle for 50 ms at most', async () => {
    const { cycle, clock } = setUp();
    expect(await cycle(questions('a'))).toEqual({ waits: true });
    expect(await cycle(questions('a'))).toEqual({ waits: false });
    expect(await cycle(questions('b'), [GOOD])).toEqual({ waits: false });
    // The time-out of the open question is left.
    expect(clock.pending).toBe(1);
  });

  it('is stopped after two minutes, and the reason is kept', async () => {
    const { cycle, asked, drafts, problems, clock } = setUp();
    await cycle(questions('a'));
    await clock.advance(120_000 - 51);
    expect(asked[0]?.signal.aborted).toBe(false);
    await clock.advance(1);
    await clock.advance(0);
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(drafts.problemOf('a')).toBe('no answer within 120000 ms');
    expect(problems).toEqual(['pen wrote no rule for pattern a, the templates are used: no answer within 120000 ms']);
    expect(clock.pending).toBe(0);
  });

  it('is stopped when the loop closes', async () => {
    const { cycle, asked, drafts } = setUp();
    await cycle(questions('a', 'b'));
    drafts.close();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });
});

describe('the drafts of a writer', () => {
  it('carry its name, and are known until the next answer', async () => {
    const { cycle, drafts } = setUp();
    expect([drafts.of('a'), drafts.problemOf('a')]).toEqual([[], undefined]);
    await cycle(questions('a'), [{ ...GOOD, extra: 1 }]);
    expect(drafts.of('a')).toEqual([{ ...GOOD, by: 'pen' }]);
    expect(drafts.problemOf('a')).toBeUndefined();
  });

  it('may be none, which is no problem', async () => {
    const { cycle, drafts, problems } = setUp();
    await cycle(questions('a'), []);
    expect([drafts.of('a'), drafts.problemOf('a'), problems]).toEqual([[], undefined, []]);
  });

  it('are three at most, with reasons of 300 characters', async () => {
    const { cycle, drafts } = setUp();
    await cycle(questions('a'), Array(4).fill({ ...GOOD, why: 'w'.repeat(301) }));
    expect(drafts.of('a')).toHaveLength(3);
    expect(drafts.of('a')[0]?.why).toBe('w'.repeat(300));
  });

  it('at the bounds of confidence are used', async () => {
    const { cycle, drafts } = setUp();
    await cycle(questions('a'), [
      { ...GOOD, confidence: 0 },
      { ...GOOD, confidence: 1 },
    ]);
    expect(drafts.of('a').map(({ confidence }) => confidence)).toEqual([0, 1]);
  });

  it.for<[unknown, string]>([
    [null, 'it is not an object'],
    ['Count.', 'it is not an object'],
    [{ ...GOOD, file: 'SOUL' }, 'its file is not one of AGENTS, TOOLS'],
    [{ ...GOOD, file: 4 }, 'its file is not one of AGENTS, TOOLS'],
    [{ ...GOOD, why: undefined }, 'it does not say why'],
    [{ ...GOOD, confidence: '1' }, 'its confidence is not from 0 to 1'],
    [{ ...GOOD, confidence: -0.1 }, 'its confidence is not from 0 to 1'],
    [{ ...GOOD, confidence: 1.1 }, 'its confidence is not from 0 to 1'],
    [{ ...GOOD, text: 'Count.' }, 'it has 6 characters: say what to do, in at least 15'],
  ])('that may not be used are reported, and the others are kept: %j', async ([draft, problem]) => {
    const { cycle, drafts, problems } = setUp();
    await cycle(questions('a'), [draft, GOOD]);
    expect(drafts.of('a')).toHaveLength(1);
    expect(drafts.problemOf('a')).toBeUndefined();
    expect(problems).toEqual([`a rule of pen for pattern a is not used: ${problem}`]);
    await cycle(questions('b'), [draft]);
    expect([drafts.of('b'), drafts.problemOf('b')]).toEqual([[], problem]);
  });

  it('must be a list', async () => {
    const { cycle, drafts } = setUp();
    await cycle(questions('a'), { 0: GOOD, length: 1 });
    expect(drafts.problemOf('a')).toBe('it must give a list of drafts');
  });

  it('of the 200 patterns asked about last are kept', async () => {
    const { cycle, drafts } = setUp();
    const ids = Array.from({ length: 201 }, (_, index) => `p${index}`);
    for (const id of ids.slice(0, 200)) await cycle(questions(id), [GOOD]);
    expect(drafts.of('p0')).toHaveLength(1);
    await cycle(questions('p200'), [GOOD]);
    expect(ids.filter((id) => drafts.of(id).length === 0)).toEqual(['p0']);
  });
});
