import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
import type { Arm } from '../../src/contract/start.js';
import type { Trial } from '../../src/contract/trial.js';
import { Moved } from '../../src/verify/moved.js';
import { OtherTasks } from '../../src/verify/other-tasks.js';
import type { TrialTask, Unit } from '../../src/verify/unit.js';
import { T0, trialOf } from './harness.js';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

interface Parts {
  readonly arm: Arm;
  readonly failed?: boolean;
  readonly share?: number;
  readonly follows?: string;
  readonly source?: string;
  readonly canAct?: boolean;
  readonly key?: string;
}

/** A trial's check on other tasks, fed with one unit and one other task after the other. */
class Feed {
  readonly trial: Trial;
  readonly others = new OtherTasks();
  moved: Moved;
  atMs = T0;

  constructor(trial: Trial = trialOf()) {
    this.trial = trial;
    this.moved = new Moved(trial, this.others);
  }

  unit({ arm, failed = false, share = 0.5, follows, source, canAct = true, key }: Parts): void {
    const id = `t${this.atMs}` as OutcomeId; // a brand has no other way to come into being
    const task: TrialTask = {
      ...{ id, atMs: this.atMs, writer: 'w', counter: 0, deadlineMs: this.atMs + HOUR_MS, unit: id, arm, share },
      ...(follows !== undefined && { follows }),
      ...(source !== undefined && { scope: { source } }),
    };
    const unit: Unit = { key: key ?? id, arm, share, mixed: false, tasks: [task], reported: true };
    this.moved.take(unit, { arm, share, tasks: 1, failures: failed ? 1 : 0 }, this.trial, canAct);
    this.atMs += SECOND_MS;
  }

  other(success: boolean, parts: Partial<Outcome> = {}): void {
    const id = `o${this.atMs}` as OutcomeId; // as above
    this.others.add({ id, task: 'sum', source: 'generic', issues: [], atMs: this.atMs, success, ...parts });
    this.atMs += SECOND_MS;
  }

  /** Tasks that each bet has seen after a unit, beyond the 20 it begins with. */
  get followed(): readonly number[] {
    return this.moved.snapshot().bets.map(({ seen }) => seen[2][0] - 20);
  }

  restart(): void {
    this.moved = new Moved(this.trial, this.others, JSON.parse(JSON.stringify(this.moved.snapshot())));
  }
}

/** Tasks of which only those without the fix fail, and with it the next one instead, if failures move. */
function returning(feed: Feed, count: number, moves: boolean): void {
  let before: Arm = 'control';
  for (let index = 0; index < count; index++) {
    const arm: Arm = (index * 7) % 11 < 6 ? 'fix' : 'control';
    feed.unit({ arm, failed: moves ? before === 'fix' || index % 9 === 0 : arm === 'control' && index % 3 === 0 });
    before = arm;
  }
}

describe('failures that move to the next task', () => {
  it('fail the fix, and only then', () => {
    const moving = new Feed();
    for (let index = 0; index < 40; index++) {
      moving.unit({ arm: 'fix', follows: `s${index}` });
      moving.unit({ arm: 'control', follows: `s${index}`, failed: true });
      moving.unit({ arm: 'control', follows: `t${index}`, failed: true });
      moving.unit({ arm: 'fix', follows: `t${index}` });
      const { eHarm, needed } = moving.moved.figures();
      expect(moving.moved.fired !== undefined).toBe(eHarm >= needed);
    }
    expect(moving.moved.fired).toBe('other-tasks');
    expect(moving.moved.figures()).toMatchObject({ guard: 'other-tasks', needed: 120 });
    expect(moving.moved.figures().eHarm).toBeGreaterThanOrEqual(120);
    const honest = new Feed();
    returning(honest, 200, false);
    expect(honest.moved.fired).toBeUndefined();
    expect(honest.moved.figures().eHarm).toBeLessThan(120);
  });

  it('are looked for in turns, so that no bet uses an arm whose result it has used', () => {
    const feed = new Feed();
    for (let index = 0; index < 5; index++) feed.unit({ arm: 'fix' });
    expect(feed.followed).toEqual([2, 2, 0]);
    expect(feed.moved.snapshot().bets[0]?.seen[1]).toEqual([22, 4]);
  });

  it('are looked for in the same session, else in the same source', () => {
    const feed = new Feed();
    feed.unit({ arm: 'fix', follows: 's1', source: 'hook' });
    feed.unit({ arm: 'fix', follows: 's2', source: 'hook' });
    feed.unit({ arm: 'fix', source: 'hook' });
    feed.unit({ arm: 'fix' });
    expect(feed.followed).toEqual([0, 0, 0]);
    feed.unit({ arm: 'fix', follows: 's1' });
    feed.unit({ arm: 'fix', source: 'hook' });
    feed.unit({ arm: 'fix', source: 'generic' });
    expect(feed.followed).toEqual([3, 0, 0]);
  });

  it('are looked for within an hour', () => {
    const feed = new Feed();
    feed.unit({ arm: 'fix' });
    feed.atMs += HOUR_MS - SECOND_MS;
    feed.unit({ arm: 'fix' });
    expect(feed.followed).toEqual([1, 0, 0]);
    feed.atMs += HOUR_MS - SECOND_MS + 1;
    feed.unit({ arm: 'fix' });
    expect(feed.followed).toEqual([1, 0, 0]);
  });

  it('are not looked for after a task that the fix could not act on, or whose arm was not drawn', () => {
    const feed = new Feed();
    feed.unit({ arm: 'fix' });
    feed.unit({ arm: 'fix', canAct: false });
    feed.unit({ arm: 'fix' });
    expect(feed.followed).toEqual([1, 0, 0]);
    feed.unit({ arm: 'fix', share: 1 });
    feed.unit({ arm: 'control', share: 0 });
    expect(feed.followed).toEqual([1, 0, 0]);
    expect(feed.moved.snapshot().doubt.units).toBe(2);
  });

  it('remember the newest task of at least 1,000 sessions', () => {
    const feed = new Feed();
    for (let index = 0; index < 1_000; index++) feed.unit({ arm: 'fix', follows: `s${index}` });
    feed.unit({ arm: 'fix', follows: 's0' });
    expect(feed.followed).toEqual([1, 0, 0]);
  });
});

describe('failures that move to tasks of another name', () => {
  it('fail the fix, with single tasks, sessions and blocks', () => {
    for (const unit of ['task', 'session', 'block'] as const) {
      const feed = new Feed(trialOf({ unit }));
      const { blockMs = 0 } = feed.trial;
      for (let index = 0; index < 80 && !feed.moved.fired; index++) {
        const arm: Arm = index % 2 === 0 ? 'fix' : 'control';
        const key = unit === 'block' ? String(index) : `s${index}`;
        const beginsMs = unit === 'block' ? T0 + index * blockMs : feed.atMs;
        feed.atMs = beginsMs + 1;
        for (let other = 0; other < 3; other++) feed.other(arm === 'control', { session: `s${index}` });
        feed.atMs = beginsMs;
        if (unit === 'task') {
          feed.unit({ arm, failed: arm === 'control', follows: `s${index}` });
          feed.atMs = beginsMs + 10 * SECOND_MS;
          feed.unit({ arm, failed: arm === 'control', follows: `s${index}` });
        } else feed.unit({ arm, failed: arm === 'control', key });
        feed.atMs = beginsMs + 20 * SECOND_MS;
      }
      expect(feed.moved.fired, unit).toBe('other-tasks');
      expect(feed.moved.figures().needed).toBe(unit === 'task' ? 120 : 40);
    }
  });

  it('are compared by every trial task since the one before, up to 20 of one share', () => {
    const feed = new Feed();
    const seen = () =>
      feed.moved
        .snapshot()
        .bets[2]?.seen.slice(0, 2)
        .map(([tasks]) => tasks - 20);
    feed.unit({ arm: 'fix' });
    feed.unit({ arm: 'control' });
    feed.other(false);
    expect(feed.followed[2]).toBe(0);
    feed.unit({ arm: 'fix' });
    expect(feed.followed[2]).toBe(1);
    expect(seen()).toEqual([1, 1]);
    // The next one counts from here: one task of the fix.
    feed.other(false);
    feed.unit({ arm: 'control' });
    expect(seen()).toEqual([1, 2]);
    for (let index = 0; index < 30; index++) feed.unit({ arm: 'control' });
    feed.other(false);
    feed.unit({ arm: 'fix' });
    expect(seen()).toEqual([21, 2]);
    feed.unit({ arm: 'fix', share: 0.9 });
    feed.other(true);
    feed.unit({ arm: 'fix', share: 0.9 });
    expect(seen()).toEqual([21, 3]);
  });

  it('do not count tasks of the name under trial or of another session', () => {
    const feed = new Feed();
    feed.unit({ arm: 'fix', follows: 's1' });
    feed.other(false, { task: 'ask', session: 's1' });
    feed.other(false, { session: 's2' });
    feed.unit({ arm: 'fix', follows: 's1' });
    expect(feed.followed).toEqual([1, 0, 0]);
  });

  it('count for a day in a session, and to the end of a block', () => {
    const session = new Feed(trialOf({ unit: 'session' }));
    session.other(false, { session: 's', atMs: T0 + 24 * HOUR_MS - 1 });
    session.other(false, { session: 's', atMs: T0 + 24 * HOUR_MS });
    session.atMs = T0;
    session.unit({ arm: 'fix', key: 's' });
    expect(session.followed).toEqual([1]);
    const block = new Feed(trialOf({ unit: 'block' }));
    const { blockMs = 0 } = block.trial;
    block.other(false, { atMs: T0 + 3 * blockMs - 1 });
    block.other(false, { atMs: T0 + 3 * blockMs });
    block.atMs = T0 + 2 * blockMs;
    block.unit({ arm: 'fix', key: '2' });
    block.unit({ arm: 'fix', key: '2', canAct: false });
    expect(block.followed).toEqual([1]);
  });
});

describe('a confirmation', () => {
  const inDoubt = (feed: Feed, hasWaited = false) => feed.moved.isInDoubt(feed.trial, hasWaited);

  it('waits while failures may have moved, and not where nothing follows', () => {
    const moving = new Feed();
    returning(moving, 60, true);
    expect(inDoubt(moving)).toBe(true);
    expect(inDoubt(moving, true)).toBe(true);
    const honest = new Feed();
    for (let index = 0; index < 150; index++) {
      const arm: Arm = (index * 7) % 11 < 6 ? 'fix' : 'control';
      honest.unit({ arm, failed: arm === 'control' && index % 2 === 0 });
    }
    expect(inDoubt(honest)).toBe(false);
    const alone = new Feed();
    for (let index = 0; index < 20; index++) alone.unit({ arm: 'fix', follows: `s${index}` });
    expect(inDoubt(alone)).toBe(false);
  });

  it('waits for the next task of a session only, if the fix chooses the model', () => {
    const held = (follows?: string) => {
      const feed = new Feed(trialOf({ set: { 'model.order': ['b'] } }));
      for (let index = 0; index < 12; index++) {
        const arm: Arm = index % 2 === 0 ? 'fix' : 'control';
        feed.unit({ arm, failed: index % 4 === 1, ...(follows !== undefined && { follows }) });
      }
      return inDoubt(feed);
    };
    expect(held()).toBe(false);
    expect(held('s')).toBe(true);
  });

  it('needs less after a long wait, and with a trigger', () => {
    const early = (fails: (index: number) => boolean, parts: Parameters<typeof trialOf>[0] = {}) => {
      const feed = new Feed(trialOf(parts));
      for (let index = 0; index < 12; index++) {
        feed.unit({ arm: index % 2 === 0 ? 'fix' : 'control', failed: fails(index) });
      }
      return feed;
    };
    const feed = early((index) => index % 4 === 1);
    expect(inDoubt(feed)).toBe(true);
    expect(inDoubt(feed, true)).toBe(false);
    const triggered = early((index) => index % 2 === 1, { trigger: { failedWith: ['timeout'] } });
    expect(inDoubt(triggered)).toBe(false);
    const { trigger: _, ...plain } = triggered.trial;
    expect(triggered.moved.isInDoubt(plain, false)).toBe(true);
  });

  it('is held up by other names that fail more often than before the trial', () => {
    const isHeldUp = (failing: number, past: Trial['past']) => {
      const feed = new Feed(trialOf({ past }));
      for (let index = 0; index < 120; index++) {
        const arm: Arm = (index * 7) % 11 < 6 ? 'fix' : 'control';
        feed.unit({ arm, failed: arm === 'control' && index % 2 === 0 });
        feed.other(index % 10 >= failing);
      }
      return inDoubt(feed);
    };
    const past = { tasks: 100, failures: 20 };
    expect(isHeldUp(1, { ...past, others: { tasks: 200, failures: 20 } })).toBe(false);
    expect(isHeldUp(1, { ...past, others: { tasks: 200, failures: 2 } })).toBe(true);
    expect(isHeldUp(5, { ...past, others: { tasks: 200, failures: 20 } })).toBe(true);
  });
});

describe('a restart', () => {
  it('changes nothing', () => {
    const through = new Feed();
    const restarted = new Feed();
    for (const feed of [through, restarted]) {
      for (let index = 0; index < 30; index++) {
        feed.unit({ arm: index % 3 === 0 ? 'fix' : 'control', failed: index % 4 === 0, follows: `s${index % 5}` });
        if (index % 4 === 3) feed.other(index % 8 === 3, { session: `s${index % 5}` });
        if (feed === restarted && index % 5 === 0) feed.restart();
      }
    }
    expect(restarted.moved.snapshot()).toEqual(through.moved.snapshot());
    const taken = through.moved.snapshot();
    const copy = JSON.stringify(taken);
    returning(through, 10, false);
    expect(JSON.stringify(taken)).toBe(copy);
  });
});
