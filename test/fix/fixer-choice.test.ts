import { describe, expect, it } from 'vitest';
import type { CustomChange } from '../../src/contract/change.js';
import type { ChangeKind, PatternFacts } from '../../src/contract/change-kind.js';
import type { Fix, FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { JsonObject } from '../../src/contract/json.js';
import type { RepeatAnswer } from '../../src/contract/ledger-entry.js';
import type { Lesson } from '../../src/contract/lesson.js';
import type { Pattern } from '../../src/contract/pattern.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { Fixer } from '../../src/fix/fixer.js';
import type { Since } from '../../src/fix/rest-of-failures.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { somePattern, someTask } from './fixtures.js';

/** Proposal of a kind for every pattern; `set` are the settings that its tasks get. */
interface Wish {
  readonly set: JsonObject;
  readonly safe?: boolean;
  readonly isOwn?: boolean;
  readonly scope?: CustomChange['scope'];
}

type Wishes = readonly Wish[] | ((facts: PatternFacts) => readonly Wish[]);

function kindOf(name: string, approvedBy: 'loop' | 'person', wishes: Wishes): ChangeKind {
  const kind = `my.${name}` as const;
  const of: ChangeKind<CustomChange> = {
    kind,
    approvedBy,
    propose: (facts) =>
      (typeof wishes === 'function' ? wishes(facts) : wishes).map(({ set, safe = true, isOwn, scope }) => ({
        target: Object.keys(set).join(),
        change: { kind, scope: scope ?? { task: facts.pattern.task }, content: set, undo: {} },
        safe,
        ...(isOwn && { isOwn }),
        details: () => ({ reason: 'may help' }),
      })),
    effect: ({ scope, content }) => ({ settings: { kind: 'policy', scope, set: content, undo: {} } }),
    content: ({ content }) => content,
    describe: () => ({ title: '', undo: '', inForce: '', rolledBack: '' }),
  };
  return of as ChangeKind; // asked only about changes of its own
}

interface SetUp {
  readonly person?: Wishes;
  readonly recall?: (pattern: Pattern) => readonly Lesson[];
  readonly isTestable?: () => boolean;
  readonly task?: Partial<TaskStatistics>;
  readonly since?: Since;
}

function setUp(loop: Wishes, { person = [], recall = () => [], isTestable = () => true, task, since }: SetUp = {}) {
  const problems: string[] = [];
  const answers = new Map<string, RepeatAnswer>();
  const fixer = new Fixer({
    kinds: new ChangeKinds([kindOf('asked', 'person', person), kindOf('tuned', 'loop', loop)]),
    recall,
    attemptsOn: () => 0,
    ...(since && { since: () => since }),
    repeats: new RepeatRules({ own: {}, answers: () => answers }),
    forecast: () =>
      isTestable() ? { kind: 'testable', tasks: 300, days: 1 } : ({ kind: 'too-rare' } as unknown as Fix['forecast']),
    report: (message) => problems.push(message),
  });
  const known = new Map<FixId, Fix>();
  const world = {
    known,
    problems,
    /** Returns what is proposed, by its settings, and remembers it. */
    propose(
      patterns: readonly Pattern[] = [somePattern()],
      nowMs = 1_000,
      tasks = new Map(patterns.map((pattern) => [pattern.task, someTask({ task: pattern.task, ...task })])),
    ): JsonObject[] {
      const fixes = fixer.propose(patterns, tasks, { fixes: known, active: known }, nowMs);
      for (const fix of fixes) known.set(fix.id, fix);
      return fixes.map(({ change }) => ('content' in change ? change.content : {}));
    },
    /** Moves the fix with this setting on. */
    move(setting: string, status: FixStatus, parts: Partial<Fix> = {}): void {
      const fix = [...known.values()].find(({ target }) => target === setting);
      if (!fix) throw new Error(`no fix sets ${setting}`);
      known.set(fix.id, { ...fix, status, ...parts });
    },
    answer(mayRepeat: boolean, name = 'api_call'): void {
      answers.set(name, { mayRepeat, by: 'ada', reason: 'looked', atMs: 1 });
    },
  };
  return { ...world, propose: world.propose.bind(world) };
}

const PACE = { 'spacing.ms': 50 };
const SLOWER = { 'backoff.baseMs': 500 };
const LONGER = { 'timeout.taskMs': 9_000 };
const RETRY = { 'retries.network': 2 };
const [ONE, OTHER] = [somePattern({ id: 'one' }), somePattern({ id: 'other' })];
/** A pattern whose host did not say whether its tasks may run again. */
const UNANSWERED = { repeatable: 0 };

describe('a fix on trial', () => {
  it.each(['approved', 'trial'] as const)('lets another setting be tried beside it while it is %s', (status) => {
    const { propose, move } = setUp([{ set: PACE }, { set: SLOWER }]);
    expect(propose()).toEqual([PACE]);
    move('spacing.ms', status);
    expect(propose()).toEqual([SLOWER]);
  });

  it('lets nothing beside it that is not safe to try, or that a person asked to decide', () => {
    const unsafe = setUp([{ set: PACE, safe: false }, { set: SLOWER }]);
    unsafe.propose();
    unsafe.move('spacing.ms', 'trial');
    expect(unsafe.propose()).toEqual([]);
    const asked = setUp([{ set: PACE }, { set: SLOWER, safe: false }], { person: [{ set: LONGER }] });
    asked.propose();
    asked.move('spacing.ms', 'trial');
    expect(asked.propose()).toEqual([]);
  });

  it('lets nothing beside it for the same setting, nor a second choice of models', () => {
    const same = setUp(({ pattern }) => [{ set: { 'spacing.ms': pattern.count } }]);
    same.propose([ONE]);
    same.move('spacing.ms', 'trial');
    expect(same.propose([{ ...OTHER, count: 99 }])).toEqual([]);
    expect(same.problems).toEqual([]);
    const models = setUp([{ set: { 'model.name': 'a' } }, { set: { 'model.order': 'b' } }, { set: SLOWER }]);
    models.propose();
    models.move('model.name', 'trial');
    expect(models.propose()).toEqual([SLOWER]);
  });

  it('lets nothing beside it that a trial could not decide about', () => {
    let isTestable = true;
    const { propose, move } = setUp([{ set: PACE }, { set: SLOWER }], { isTestable: () => isTestable });
    propose();
    move('spacing.ms', 'trial');
    isTestable = false;
    expect(propose()).toEqual([]);
    isTestable = true;
    expect(propose()).toEqual([SLOWER]);
  });

  it('is one of at most three attempts', () => {
    const lesson = (set: JsonObject) => ({ set, result: 'no-effect', atMs: 900 }) as unknown as Lesson; // the part that counts
    const recall = () => [lesson({ 'limit.queue': 1 }), lesson({ 'limit.queue': 2 })];
    const { propose, move } = setUp([{ set: PACE }, { set: SLOWER }], { recall });
    expect(propose()).toEqual([PACE]);
    move('spacing.ms', 'trial');
    expect(propose()).toEqual([]);
  });

  it('stops further proposals once it is in force', () => {
    const { propose, move } = setUp([{ set: PACE }, { set: SLOWER }]);
    propose();
    move('spacing.ms', 'confirmed');
    expect(propose()).toEqual([]);
    // A second one for the same failures, of which one is on trial.
    const both = setUp([{ set: PACE }, { set: SLOWER }, { set: LONGER }]);
    both.propose();
    both.move('spacing.ms', 'trial');
    both.propose();
    both.move('backoff.baseMs', 'confirmed');
    expect(both.propose()).toEqual([]);
  });
});

describe('a confirmed fix under which the failures go on', () => {
  const rest = { since: { count: 20, of: 100 } };
  const later = [somePattern({ lastSeenMs: 9_000 })];

  it('covers only what it prevents: the next setting is proposed for the rest', () => {
    for (const [since, proposed] of [[rest, [SLOWER]] as const, [{ since: { count: 1, of: 100 } }, []] as const]) {
      const { propose, move } = setUp([{ set: PACE }, { set: SLOWER }], since);
      propose();
      move('spacing.ms', 'confirmed');
      expect(propose(later, 10_000)).toEqual(proposed);
    }
  });

  it('lets the same setting be tried with another value, as another fix, but not once more with its own', () => {
    const more = { 'spacing.ms': 200 };
    const { propose, move, known } = setUp(({ pattern }) => [{ set: pattern.count > 20 ? more : PACE }], rest);
    propose();
    move('spacing.ms', 'confirmed');
    expect(propose(later, 10_000)).toEqual([]);
    expect(propose([{ ...somePattern(), lastSeenMs: 9_000, count: 21 }], 10_000)).toEqual([more]);
    expect([...known.values()].map(({ status }) => status)).toEqual(['confirmed', 'proposed']);
  });

  it('is no order behind a fallback: that one prevents second calls, and the failures of the pattern go on', () => {
    const { propose, move } = setUp([{ set: PACE }, { set: SLOWER }], { since: { count: 0, of: 100 } });
    propose();
    move('spacing.ms', 'confirmed', { atMost: { durationMs: 100 } });
    expect(propose(later, 10_000)).toEqual([]);
    move('spacing.ms', 'confirmed', { atMost: { calls: 1 } });
    expect(propose(later, 10_000)).toEqual([SLOWER]);
  });

  it('waits until the fix runs everywhere but in its holdout', () => {
    const { propose, move } = setUp([{ set: PACE }, { set: SLOWER }], rest);
    propose();
    const trial = (phase: 'ramp' | 'holdout', share: number) => ({ phase, share }) as Fix['trial'] & object; // the part that counts
    move('spacing.ms', 'confirmed', { trial: trial('ramp', 0.9) });
    expect(propose(later, 10_000)).toEqual([]);
    move('spacing.ms', 'confirmed', { trial: trial('holdout', 0.5) });
    expect(propose(later, 10_000)).toEqual([]);
    // Of 20 % that fail without the fix, a holdout of 10 % explains 2 % and not 20 %.
    move('spacing.ms', 'confirmed', { trial: trial('holdout', 0.9) });
    expect(propose(later, 10_000)).toEqual([SLOWER]);
  });
});

describe('a fix that ended', () => {
  it('is not proposed again while it is in force and did not prevent the failures: the next one is', () => {
    const { propose, move } = setUp([{ set: PACE }, { set: SLOWER }]);
    propose();
    move('spacing.ms', 'reopened');
    expect(propose()).toEqual([SLOWER]);
  });

  it('rests for 30 days if its proposal had no answer', () => {
    const DAY_MS = 86_400_000;
    const { propose, move } = setUp([{ set: PACE }]);
    propose();
    move('spacing.ms', 'expired', { changedMs: 5_000 });
    expect(propose([somePattern()], 5_000 + 30 * DAY_MS - 1)).toEqual([]);
    expect(propose([somePattern()], 5_000 + 30 * DAY_MS)).toEqual([PACE]);
  });

  it('can be proposed at once if it was replaced or rolled back without a lesson', () => {
    for (const status of ['superseded', 'rolled-back', 'rejected'] as const) {
      const { propose, move } = setUp([{ set: PACE }]);
      propose();
      move('spacing.ms', status);
      expect(propose()).toEqual([PACE]);
    }
  });
});

describe('a proposal that waits', () => {
  it('is passed only by safe changes, if it waits for a person', () => {
    const loop =
      (safe: boolean): Wishes =>
      ({ pattern }) =>
        pattern.count > 50 ? [{ set: PACE, safe }] : [];
    const many = somePattern({ count: 99 });
    for (const safe of [true, false]) {
      const { propose } = setUp(loop(safe), { person: [{ set: LONGER }] });
      expect(propose()).toEqual([LONGER]);
      expect(propose([many])).toEqual(safe ? [PACE] : []);
    }
  });

  it('is not passed by a second one that the loop approves, for this or another pattern of the same failures', () => {
    const { propose } = setUp(({ pattern }) => (pattern.count > 50 ? [{ set: SLOWER }] : [{ set: PACE }]));
    expect(propose([ONE])).toEqual([PACE]);
    expect(propose([{ ...ONE, count: 99 }])).toEqual([]);
    expect(propose([{ ...OTHER, count: 99 }])).toEqual([]);
  });

  it('keeps others of its kind waiting if they are of another pattern and need a person', () => {
    const { propose } = setUp([], { person: ({ pattern }) => [{ set: { 'spacing.ms': pattern.count } }] });
    expect(propose([ONE])).toHaveLength(1);
    expect(propose([{ ...OTHER, count: 99 }])).toEqual([]);
    expect(propose([{ ...ONE, count: 99 }])).toEqual([{ 'spacing.ms': 99 }]);
  });

  it('of the host is reported once if a fix for other failures sets the same', () => {
    const wishes: Wishes = ({ pattern }) => [
      { set: { 'spacing.ms': pattern.count }, isOwn: pattern.issue === 'timeout' },
    ];
    const { propose, problems, known } = setUp(wishes);
    propose([ONE]);
    const late = somePattern({ id: 'late', issue: 'timeout', count: 7 });
    for (let cycle = 0; cycle < 3; cycle++) expect(propose([late])).toEqual([]);
    const [first] = known.keys();
    expect(problems).toEqual([
      `spacing.ms for timeout of api_call waits: ${first} (proposed) sets the same in the same scope`,
    ]);
    const quiet = setUp(({ pattern }) => [{ set: { 'spacing.ms': pattern.count } }]);
    quiet.propose([ONE]);
    expect(quiet.propose([late])).toEqual([]);
    expect(quiet.problems).toEqual([]);
  });

  it('does not stop the same setting for another task', () => {
    const { propose } = setUp(({ pattern }) => [{ set: { 'spacing.ms': pattern.count } }]);
    propose([ONE]);
    expect(propose([somePattern({ id: 'b', task: 'send' })])).toHaveLength(1);
  });
});

describe('a setting that would run tasks twice', () => {
  it('waits for an answer, beside a proposal that needs none', () => {
    const { propose, known } = setUp([{ set: RETRY }, { set: SLOWER }], { task: UNANSWERED });
    expect(propose()).toEqual([RETRY, SLOWER]);
    const needs = [...known.values()].map((fix) => fix.needs !== undefined);
    expect(needs).toEqual([true, false]);
    expect(propose()).toEqual([]);
  });

  it('holds up no other proposal until the answer is there, and is taken for any other then', () => {
    const { propose, answer } = setUp(({ pattern }) => (pattern.count > 50 ? [{ set: SLOWER }] : [{ set: RETRY }]), {
      task: UNANSWERED,
    });
    expect(propose([ONE])).toEqual([RETRY]);
    const many = { ...OTHER, count: 99 };
    answer(true);
    expect(propose([many])).toEqual([]);
    const open = setUp(({ pattern }) => (pattern.count > 50 ? [{ set: SLOWER }] : [{ set: RETRY }]), {
      task: UNANSWERED,
    });
    open.propose([ONE]);
    expect(open.propose([many])).toEqual([SLOWER]);
  });

  it('is not proposed after a no, and without a question after a yes', () => {
    const no = setUp([{ set: RETRY }, { set: SLOWER }], { task: UNANSWERED });
    no.answer(false);
    expect(no.propose()).toEqual([SLOWER]);
    const yes = setUp([{ set: RETRY }, { set: SLOWER }], { task: UNANSWERED });
    yes.answer(true);
    expect(yes.propose()).toEqual([RETRY]);
    expect([...yes.known.values()][0]).not.toHaveProperty('needs');
  });

  it('is asked about once for the same failures', () => {
    const { propose } = setUp(({ pattern }) => [{ set: { 'retries.network': pattern.count > 50 ? 3 : 2 } }], {
      task: UNANSWERED,
    });
    expect(propose([ONE])).toEqual([RETRY]);
    expect(propose([{ ...OTHER, count: 99 }])).toEqual([]);
    // New numbers of the same proposal are news.
    expect(propose([{ ...ONE, count: 99 }])).toEqual([{ 'retries.network': 3 }]);
    const several = setUp(
      ({ pattern }) => [...(pattern.count > 50 ? [{ set: { 'retries.timeout': 1 } }] : []), { set: RETRY }],
      { task: UNANSWERED },
    );
    expect(several.propose([ONE])).toEqual([RETRY]);
    expect(several.propose([{ ...ONE, count: 99 }])).toEqual([]);
  });

  it('is asked about again if it was replaced, and not if it was rejected or tried in vain', () => {
    for (const status of ['superseded', 'rejected', 'expired', 'rolled-back'] as const) {
      const { propose, move } = setUp([{ set: RETRY }], { task: UNANSWERED });
      propose();
      move('retries.network', status);
      expect(propose(), status).toEqual(status === 'superseded' ? [RETRY] : []);
    }
    const lesson = { set: RETRY, result: 'no-effect', atMs: 900 } as unknown as Lesson; // the part that counts
    expect(setUp([{ set: RETRY }], { task: UNANSWERED, recall: () => [lesson] }).propose()).toEqual([]);
  });

  it('is asked about even while another setting is in force for the same failures', () => {
    const { propose, move } = setUp(({ pattern }) => (pattern.count > 50 ? [{ set: RETRY }] : [{ set: PACE }]), {
      task: UNANSWERED,
    });
    propose();
    move('spacing.ms', 'confirmed');
    expect(propose([somePattern({ count: 99 })])).toEqual([RETRY]);
  });
});

describe('a verdict on a choice of model', () => {
  const PICK = { 'model.name': 'b' };
  const lesson = { fixId: 'old', set: PICK, result: 'no-effect', atMs: 900 } as unknown as Lesson; // the part that counts
  /** The verdict was reached when 10 of 100 tasks failed that wanted model `a`. */
  const old = {
    ...{ id: 'old', status: 'rolled-back', target: 'model.name', task: 'api_call', issue: 'network' },
    ...{ change: { kind: 'my.tuned', scope: { task: 'api_call', model: 'a' }, content: PICK, undo: {} } },
    verdict: { kind: 'failed', why: 'no-effect', figures: { control: { units: 100, tasks: 100, failures: 10 } } },
  } as unknown as Fix; // the part that is read

  it('holds while that model fails about as often, and no longer once it fails far more', () => {
    const proposed = (failures: number) => {
      const rate = wilsonRate(failures, 200);
      const models = [{ model: 'a', rate, wanted: rate, wantedLately: rate, listedBeside: [] }];
      const { propose, known } = setUp([{ set: PICK }], { recall: () => [lesson], task: { models } });
      known.set(old.id, old);
      return propose();
    };
    expect(proposed(24)).toEqual([]);
    expect(proposed(120)).toEqual([PICK]);
  });
});

describe('a pattern of a task without statistics', () => {
  it('has no proposals, and is no problem', () => {
    const { propose, problems } = setUp([{ set: PACE }]);
    expect(propose([ONE], 1_000, new Map())).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('a kind of change', () => {
  it('that throws stops the proposals for one pattern, and says which', () => {
    const { propose, problems } = setUp(({ pattern }) => {
      if (pattern.id === 'one') throw new Error('boom');
      return [{ set: PACE }];
    });
    expect(propose([ONE, somePattern({ id: 'b', task: 'send' })])).toEqual([PACE]);
    expect(problems).toEqual(['nothing was proposed for pattern one: boom']);
  });

  it('sees the open patterns of the same task, the costliest first', () => {
    const seen: string[][] = [];
    const { propose } = setUp(({ ofTask }) => {
      seen.push(ofTask.map(({ id }) => id));
      return [];
    });
    const impact = (score: number) => ({ score, failures: 1, lostMs: 0, lostUsd: 0 });
    propose([
      somePattern({ id: 'small', impact: impact(1) }),
      somePattern({ id: 'large', impact: impact(9) }),
      somePattern({ id: 'gone', trend: 'resolved', impact: impact(20) }),
      somePattern({ id: 'elsewhere', task: 'send', impact: impact(5) }),
    ]);
    // Patterns of one task and class rank together, by what they cost in all.
    expect(seen).toEqual([['large', 'small'], ['large', 'small'], ['elsewhere']]);
  });
});
