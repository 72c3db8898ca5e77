import { describe, expect, it } from 'vitest';
import type { Decision, Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import { Questions } from '../../src/fix/questions.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { policyChange, someFix } from './fixtures.js';

const fix = (id: string, parts: Partial<Fix> = {}) => someFix(policyChange(), { id: id as FixId, ...parts });
const YES: Decision = { kind: 'approved', by: 'ada', atMs: 1 };
const NO: Decision = { kind: 'rejected', by: 'ada', atMs: 1, reason: 'too bold' };

/** One question that the gate was asked, to be answered by the test. */
interface Asked {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly answer: (decision: unknown) => void;
  readonly fail: (error: unknown) => void;
}

function setUp({ isHeard = true } = {}) {
  const clock = new ManualClock();
  const asked: Asked[] = [];
  const answers: string[] = [];
  const problems: string[] = [];
  const questions = new Questions({
    clock,
    gate: {
      decide: ({ id }, { signal }) =>
        new Promise<Decision>((resolve, fail) => {
          asked.push({ id, signal, answer: (decision) => resolve(decision as Decision), fail });
        }),
    },
    onAnswer: async ({ id }, { kind }) => {
      answers.push(`${id} ${kind}`);
      return isHeard;
    },
    report: (message) => problems.push(message),
  });
  /** Asks about these fixes, lets them be answered, and waits until the cycle goes on. */
  const cycle = async (fixes: readonly Fix[], decide: () => void = () => {}) => {
    let isOver = false;
    const asking = questions.ask(fixes).then(() => {
      isOver = true;
    });
    decide();
    await clock.advance(0);
    const waits = !isOver;
    await clock.advance(50);
    await asking;
    return { waits };
  };
  return { clock, asked, answers, problems, questions, cycle };
}

describe('the gate is asked', () => {
  it('about each fix once, until it answers', async () => {
    const { cycle, asked, answers, problems } = setUp();
    await cycle([fix('a'), fix('b')]);
    await cycle([fix('a'), fix('b')]);
    expect(asked.map(({ id }) => id)).toEqual(['a', 'b']);
    await cycle([fix('a'), fix('b')], () => asked[0]?.answer({ kind: 'waiting', sinceMs: 0 }));
    expect(answers).toEqual([]);
    await cycle([fix('a'), fix('b')]);
    expect(asked.map(({ id }) => id)).toEqual(['a', 'b', 'a']);
    expect(problems).toEqual([]);
  });

  it('and its decision is passed on whenever it comes', async () => {
    const { cycle, asked, answers, clock } = setUp();
    await cycle([fix('a'), fix('b')], () => asked[0]?.answer(YES));
    expect(answers).toEqual(['a approved']);
    asked[1]?.answer(NO);
    await clock.advance(0);
    expect(answers).toEqual(['a approved', 'b rejected']);
  });

  it('and a cycle waits 50 ms for it at most, and no longer than for its answers', async () => {
    const { cycle, asked, clock } = setUp();
    expect(await cycle([fix('a'), fix('b')], () => asked[0]?.answer(YES))).toEqual({ waits: true });
    expect(await cycle([fix('b')])).toEqual({ waits: false });
    expect(await cycle([fix('b'), fix('c')], () => asked[2]?.answer(YES))).toEqual({ waits: false });
    expect(clock.pending).toBe(0);
  });
});

describe('a question is withdrawn', () => {
  it('once its fix has moved on or is not asked about any more, and a late answer is reported', async () => {
    const { cycle, asked, answers, problems, clock } = setUp();
    await cycle([fix('a'), fix('b'), fix('c')]);
    await cycle([fix('a', { status: 'approved' }), fix('c')]);
    expect(asked.map(({ id, signal }) => `${id} ${signal.aborted}`)).toEqual([
      'a true',
      'b true',
      'c false',
      'a false',
    ]);
    asked[1]?.answer(YES);
    await clock.advance(0);
    expect(answers).toEqual([]);
    expect(problems).toEqual(['the gate approved fix b too late: it had been decided on, nothing was done']);
    // The new question about `a` is still open: it is not asked again.
    asked[0]?.fail(new Error('aborted'));
    await cycle([fix('a', { status: 'approved' }), fix('c')]);
    expect(asked).toHaveLength(4);
    expect(problems).toHaveLength(1);
  });

  it('when the loop closes, and answers after that do nothing', async () => {
    const { cycle, asked, answers, problems, questions, clock } = setUp();
    await cycle([fix('a')]);
    questions.close();
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[0]?.answer(YES);
    await clock.advance(0);
    expect([answers, problems]).toEqual([[], []]);
  });

  it('and an answer that came too late for the loop is reported', async () => {
    const { cycle, asked, problems } = setUp({ isHeard: false });
    await cycle([fix('a')], () => asked[0]?.answer(NO));
    expect(problems).toEqual(['the gate rejected fix a too late: it had been decided on, nothing was done']);
  });
});

describe('a gate', () => {
  it('that fails is named with its reason, and asked again', async () => {
    const { cycle, asked, problems } = setUp();
    await cycle([fix('a')], () => asked[0]?.fail(new Error('no connection')));
    expect(problems).toEqual(['the gate failed on fix a: no connection']);
    await cycle([fix('a')]);
    expect(asked).toHaveLength(2);
  });

  it.for<[unknown]>([
    [undefined],
    [null],
    ['approved'],
    [{}],
    [{ kind: 'maybe', by: 'ada' }],
    [{ kind: 'approved' }],
    [{ kind: 'approved', by: 7 }],
    [{ kind: 'rejected', by: 'ada', reason: 7 }],
  ])('must answer with a decision, not %j', async ([decision]) => {
    const { cycle, asked, answers, problems } = setUp();
    await cycle([fix('a')], () => asked[0]?.answer(decision));
    expect(answers).toEqual([]);
    expect(problems[0]).toMatch(
      /^the gate failed on fix a: it must answer \{ kind: "approved" \| "rejected", by, reason \}/,
    );
  });

  it('may approve without a reason', async () => {
    const { cycle, asked, answers } = setUp();
    await cycle([fix('a')], () => asked[0]?.answer({ kind: 'rejected', by: 'ada' }));
    expect(answers).toEqual(['a rejected']);
  });
});
