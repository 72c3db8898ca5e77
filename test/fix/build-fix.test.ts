import { describe, expect, it } from 'vitest';
import type { ChangeKind, ProposalDetails } from '../../src/contract/change-kind.js';
import type { FixId } from '../../src/contract/ids.js';
import type { Trigger, UnitKind } from '../../src/contract/trial.js';
import { buildFix, type ForecastRequest } from '../../src/fix/build-fix.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { policyChange, policyOnly, somePattern, someTask } from './fixtures.js';

const TRIGGER: Trigger = { failedWith: ['network'] };

interface Asked {
  readonly details?: Partial<ProposalDetails>;
  readonly unit?: UnitKind;
  readonly trigger?: Trigger | undefined;
  readonly kind?: Partial<ChangeKind>;
  readonly managed?: number;
}

/** Builds the fix of one proposal, and returns it with what the forecast was asked. */
function built({ details, unit = 'task', managed = 100, kind: more, ...rest }: Asked = {}) {
  const trigger = 'trigger' in rest ? rest.trigger : TRIGGER;
  const kind = { ...policyOnly({ unitFor: () => unit, triggerOf: () => trigger }), ...more };
  const asked: ForecastRequest[] = [];
  const task = someTask({ managed, attempted: 20, perDay: 40, observedDays: 3 });
  const fix = buildFix(
    {
      id: 'fix-1' as FixId,
      kind,
      proposal: {
        target: 'retries.network',
        change: policyChange(),
        details: () => ({ reason: 'it may help', ...details }),
      },
      facts: { pattern: somePattern(), task, tasks: new Map(), ofTask: [], advised: 0 },
      attempt: 2,
      nowMs: 7_000,
    },
    {
      kinds: new ChangeKinds([kind]),
      repeats: new RepeatRules({ own: {}, answers: () => new Map() }),
      forecast: (about) => {
        asked.push(about);
        return { kind: 'testable', tasks: 300 };
      },
    },
  );
  return { fix, asked: asked[0] };
}

describe('a proposal', () => {
  it('waits since now, for the failures of its pattern, and is not safe unless its kind says so', () => {
    expect(built().fix).toEqual({
      id: 'fix-1',
      patternId: 'pattern-1',
      task: 'api_call',
      issue: 'network',
      target: 'retries.network',
      change: policyChange(),
      unit: 'task',
      status: 'proposed',
      safe: false,
      reason: 'it may help',
      forecast: { kind: 'testable', tasks: 300 },
      attempt: 2,
      proposedMs: 7_000,
      changedMs: 7_000,
      decision: { kind: 'waiting', sinceMs: 7_000 },
    });
    expect(built({ managed: 3 }).fix.needs).toContain('call loop.run("api_call"');
  });

  it('is tried on tasks if its kind names no unit', () => {
    expect(built({ kind: { unit: () => undefined as never } }).fix.unit).toBe('task');
    expect(built({ unit: 'session' }).fix.unit).toBe('session');
  });
});

describe('the forecast of a proposal', () => {
  it('is asked with the rates, the volume and the attempt', () => {
    const facts = { perDay: 40, observedDays: 3, unit: 'task', attempt: 2, isTriggered: true };
    expect(built().asked).toEqual({ rate: 0.2, ...facts });
    expect(built({ details: { rate: 0.4, failing: 0.5 } }).asked).toEqual({ rate: 0.4, failing: 0.5, ...facts });
  });

  it.for<[string, Asked, boolean]>([
    ['tasks whose first attempt failed, if the change acts after it', {}, true],
    ['all tasks, if the change can affect all', { trigger: undefined }, false],
    ['all tasks of a time block', { unit: 'block' }, false],
    ['all tasks of a session', { unit: 'session' }, false],
    ['all tasks, for a kind without triggers', { kind: { trigger: undefined as never } }, false],
  ])('looks at %s', ([, asked, isTriggered]) => {
    expect(built(asked).asked?.isTriggered).toBe(isTriggered);
  });
});
