import { describe, expect, it } from 'vitest';
import type { LoopEvent } from '../../src/contract/loop-event.js';
import type { Outcome } from '../../src/contract/outcome.js';
import type { FixedComponents } from '../../src/live/fixed-components.js';
import { RecordIntake } from '../../src/live/record-intake.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

function world() {
  const counted: string[] = [];
  const events: LoopEvent[] = [];
  let calls = 0;
  const clock = new ManualClock(5_000);
  const front = { clock, events: { emit: (event: LoopEvent) => events.push(event) } } as unknown as FixedComponents;
  const analysis = { record: (outcome: Outcome, atMs: number) => counted.push(`${outcome.task} at ${atMs}`) };
  const intake = new RecordIntake(front, { analysis });
  intake.onMany(() => calls++);
  return { intake, counted, events, calls: () => calls };
}

function outcome(parts: Partial<Outcome> = {}): Outcome {
  const failure = { id: 'o' as Outcome['id'], task: 'api_call', source: 'generic', success: false };
  return { ...failure, atMs: 5_000, issues: ['network'], fingerprint: 'f', ...parts };
}
const takeMany = (intake: RecordIntake, count: number) => {
  const success = outcome({ success: true, issues: [] });
  for (let index = 0; index < count; index++) intake.take(success);
};

describe('an outcome recorded before the store was read', () => {
  it('counts once the store is read', () => {
    const { intake, counted } = world();
    intake.take(outcome({ task: 'first' }));
    intake.take(outcome({ task: 'second' }));
    expect(counted).toEqual([]);
    intake.open();
    intake.take(outcome({ task: 'third' }));
    intake.open();
    expect(counted).toEqual(['first at 5000', 'second at 5000', 'third at 5000']);
  });

  it('is counted for the first hundred thousand, so that memory is bounded', () => {
    const { intake, counted } = world();
    takeMany(intake, 100_001);
    intake.open();
    expect(counted).toHaveLength(100_000);
  });
});

describe('outcomes that wait to be applied', () => {
  it('are applied between cycles once there are 10,000 of them', () => {
    const { intake, calls } = world();
    intake.open();
    takeMany(intake, 9_999);
    expect(calls()).toBe(0);
    takeMany(intake, 1);
    expect(calls()).toBe(1);
    intake.applied();
    takeMany(intake, 9_999);
    expect(calls()).toBe(1);
    takeMany(intake, 1);
    expect(calls()).toBe(2);
  });

  it('make a snapshot due after 100,000, so that a restart reads at most these again', () => {
    const { intake } = world();
    intake.open();
    takeMany(intake, 99_999);
    expect(intake.isSaveDue).toBe(false);
    takeMany(intake, 1);
    expect(intake.isSaveDue).toBe(true);
    intake.saved();
    expect(intake.isSaveDue).toBe(false);
  });
});

describe('a burst', () => {
  it('is announced at the third failure of one kind within a quarter of an hour', () => {
    const { intake, events } = world();
    intake.open();
    for (let count = 0; count < 3; count++) intake.take(outcome());
    expect(events).toMatchObject([{ kind: 'burst', task: 'api_call', issue: 'network', fingerprint: 'f', count: 3 }]);
  });

  it('is not made of successes, of cancelled tasks or of different failures', () => {
    const { intake, events } = world();
    intake.open();
    for (let count = 0; count < 3; count++) {
      intake.take(outcome({ success: true }));
      intake.take(outcome({ issues: ['cancelled'] }));
      intake.take(outcome({ issues: [] }));
      intake.take(outcome({ fingerprint: `f${count}` }));
    }
    expect(events).toEqual([]);
  });

  it('is announced for failures without a message too', () => {
    const { intake, events } = world();
    intake.open();
    const { fingerprint: _, ...silent } = outcome();
    for (let count = 0; count < 3; count++) intake.take(silent);
    expect(events).toMatchObject([{ kind: 'burst', fingerprint: '' }]);
  });
});
