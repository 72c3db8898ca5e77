import { describe, expect, it } from 'vitest';
import type { FixId, OutcomeId } from '../../src/contract/ids.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import { Verifier } from '../../src/verify/verifier.js';
import { FIX, failing, journal, T0, trialOf } from './harness.js';

const LATER = T0 + 700_000;
const always = () => true;
const starts = (records: readonly JournalRecord[]) => records.filter(({ kind }) => kind === 'start');
const ends = (records: readonly JournalRecord[]) => records.filter(({ kind }) => kind === 'outcome');

function opened(...trials: ReturnType<typeof trialOf>[]): Verifier {
  const verifier = new Verifier();
  for (const trial of trials) verifier.open(trial);
  return verifier;
}

/** Returns how many tasks of both arms a trial has counted. */
function tasks(verifier: Verifier, fixId = FIX): number {
  const { fix, control } = verifier.figures(fixId) ?? {};
  return (fix?.tasks ?? 0) + (control?.tasks ?? 0);
}

describe('the verifier counts a task', () => {
  const trial = trialOf();
  const records = journal(trial, 20, always);

  it('whose end was read before its start, also over a restart between them', () => {
    const verifier = opened(trial);
    verifier.absorb(ends(records));
    verifier.look(LATER);
    expect(tasks(verifier)).toBe(0);
    const restarted = new Verifier({}, JSON.parse(JSON.stringify(verifier.snapshot())));
    for (const one of [verifier, restarted]) {
      one.absorb(starts(records));
      one.look(LATER);
      expect(tasks(one)).toBe(20);
      expect(one.snapshot().early).toEqual(new Verifier().snapshot().early);
    }
    expect(restarted.figures(FIX)).toEqual(verifier.figures(FIX));
  });

  it('by its first end, if several were read', () => {
    const verifier = opened(trial);
    const good = ends(journal(trial, 20, () => false));
    verifier.absorb([...good, ...ends(records), ...starts(records)]);
    verifier.look(LATER);
    const { fix, control } = verifier.figures(FIX) ?? {};
    expect([tasks(verifier), fix?.failures, control?.failures]).toEqual([20, 0, 0]);
  });

  it('only under the name that the trial is about, or any name if it names none', () => {
    const renamed = records.map(
      (record): JournalRecord =>
        record.kind === 'start' ? record : { ...record, outcome: { ...record.outcome, task: 'other' } },
    );
    const verifier = opened(trial);
    verifier.absorb(renamed);
    verifier.look(LATER);
    expect(tasks(verifier)).toBe(0);
    const any = opened({ ...trial, scope: {} });
    any.absorb(renamed);
    any.look(LATER);
    expect(tasks(any)).toBe(20);
  });

  it('with its model, tool, source, agent and release, and the session that it follows', () => {
    const [start] = starts(journal(trial, 1, always, { session: () => 's1' }));
    if (start?.kind !== 'start') throw new Error('no start');
    const scope = { task: 'ask', model: 'haiku', tool: 'search', source: 'ci', agent: 'ada', version: '1.4.2' };
    const taken = (parts: object, one = trial) => {
      const verifier = opened(one);
      verifier.absorb([{ kind: 'start', start: { ...start.start, ...parts } }]);
      return verifier.snapshot().trials[0]?.queue.arrived[0];
    };
    const { task: _, ...known } = scope;
    expect(taken({ scope })).toMatchObject({ scope: known, follows: 's1' });
    expect(Object.keys(taken({ scope })?.scope ?? {})).toHaveLength(5);
    expect(taken({})?.scope).toEqual({});
    expect(taken({ session: undefined })).not.toHaveProperty('follows');
  });

  it('of each trial that is still open when another one of the same tasks is closed', () => {
    const other = { ...trial, fixId: 'fix-2' as FixId };
    const verifier = opened(trial, other);
    verifier.absorb(starts(records));
    verifier.close(other.fixId);
    verifier.absorb(ends(records));
    verifier.look(LATER);
    expect(tasks(verifier)).toBe(20);
  });

  it('without keeping the end of a known task any longer', () => {
    const verifier = opened(trial);
    verifier.absorb(starts(records));
    verifier.absorb(ends(records));
    expect(verifier.snapshot().early).toEqual(new Verifier().snapshot().early);
  });

  it('never without an open trial', () => {
    const verifier = new Verifier();
    verifier.absorb(records);
    expect(verifier.snapshot()).toEqual(new Verifier().snapshot());
    expect(verifier.figures(FIX)).toBeUndefined();
    expect(verifier.course(FIX)).toEqual([]);
  });
});

describe('the verifier ends a session', () => {
  const trial = trialOf({ unit: 'session' });
  const session = (index: number) => `s${Math.floor(index / 5)}`;
  const over = (parts: object): JournalRecord => ({
    kind: 'outcome',
    outcome: {
      ...{ id: 'end' as OutcomeId, task: 'session', source: 'generic', success: true, issues: [] },
      ...{ atMs: T0 + 60_000, session: 's0', endsSession: true, ...parts },
    },
  });

  it('that any of its tasks reports as over, and only that one', () => {
    for (const [parts, counted] of [
      [{}, 5],
      [{ endsSession: false }, 0],
      [{ session: undefined }, 0],
      [{ session: 's9' }, 0],
    ] as const) {
      const verifier = opened(trial);
      verifier.absorb(journal(trial, 10, always, { session }));
      verifier.absorb([over(parts)]);
      verifier.look(T0 + 90_000);
      expect(tasks(verifier), JSON.stringify(parts)).toBe(counted);
    }
  });

  it('and counts what it recorded under its task, though that was never begun', () => {
    const verifier = opened(trial);
    const recorded = (id: string, parts: object = {}) =>
      over({ id, task: 'ask', endsSession: false, atMs: T0 + 9_000, success: false, ...parts });
    verifier.absorb(journal(trial, 10, () => false, { session }));
    verifier.absorb([
      recorded('more'),
      recorded('other', { task: 'other' }),
      recorded('alone', { session: undefined }),
    ]);
    verifier.absorb([over({})]);
    verifier.look(T0 + 90_000);
    const { fix, control } = verifier.figures(FIX) ?? {};
    expect([tasks(verifier), (fix?.failures ?? 0) + (control?.failures ?? 0)]).toEqual([6, 1]);
  });

  it('of a trial of single tasks never', () => {
    const single = trialOf();
    const verifier = opened(single);
    const unended = starts(journal(single, 5, always, { session: () => 's0' }));
    verifier.absorb([...unended, over({ task: 'ask' })]);
    verifier.look(T0 + 90_000);
    expect(tasks(verifier)).toBe(0);
  });
});

describe('records that are not bet on', () => {
  it('are counted by trial and reason, until they are taken', () => {
    const [one, other] = [trialOf(), trialOf({ fixId: 'fix-2' as FixId })];
    const verifier = opened(one, other);
    for (const trial of [one, other]) verifier.absorb(starts(journal(trial, 3, always)));
    verifier.absorb(starts(journal(one, 2, always)));
    verifier.absorb(starts(journal(other, 1, always)));
    expect(verifier.takeIgnored()).toEqual([
      { fixId: FIX, why: 'repeated', count: 2 },
      { fixId: 'fix-2', why: 'repeated', count: 1 },
    ]);
    expect(verifier.takeIgnored()).toEqual([]);
    verifier.absorb(starts(journal(one, 1, always)));
    verifier.close(FIX);
    expect(verifier.takeIgnored()).toEqual([]);
  });

  it('include the second end of a task', () => {
    const trial = trialOf();
    const records = journal(trial, 2, always);
    const verifier = opened(trial);
    verifier.absorb([...records, ...ends(records)]);
    expect(verifier.takeIgnored()).toEqual([{ fixId: FIX, why: 'repeated', count: 2 }]);
  });

  it('include starts of trials that this process does not know', () => {
    const verifier = opened(trialOf());
    verifier.absorb(journal(trialOf({ fixId: 'fix-9' as FixId }), 3, always));
    expect([tasks(verifier), verifier.takeIgnored()]).toEqual([0, []]);
  });
});

describe('a trial that is closed', () => {
  it('leaves nothing behind once no other is open, but its course', () => {
    const trial = trialOf();
    const verifier = opened(trial);
    verifier.absorb(journal(trial, 100, failing(0.3, 0.2, 1)));
    verifier.absorb(ends(journal(trial, 5, always, { from: 900 })));
    verifier.look(LATER);
    const course = verifier.course(FIX);
    verifier.close(FIX);
    expect(verifier.snapshot()).toEqual({ ...new Verifier().snapshot(), ended: [[FIX, expect.anything()]] });
    expect(verifier.course(FIX)).toEqual(course);
    expect(course.length).toBeGreaterThan(0);
    verifier.close('fix-9' as FixId);
    expect(verifier.course('fix-9' as FixId)).toEqual([]);
  });

  it('leaves the ends that another one may still need', () => {
    const [one, other] = [trialOf(), trialOf({ fixId: 'fix-2' as FixId })];
    const verifier = opened(one, other);
    const records = journal(other, 5, always);
    verifier.absorb(ends(records));
    verifier.close(FIX);
    verifier.absorb(starts(records));
    verifier.look(LATER);
    expect(tasks(verifier, 'fix-2' as FixId)).toBe(5);
  });

  it('has its course kept among the 50 that ended last', () => {
    const verifier = new Verifier();
    const ids = Array.from({ length: 51 }, (_, index) => `fix-${index}` as FixId);
    for (const fixId of ids) {
      const trial = trialOf({ fixId });
      verifier.open(trial);
      verifier.absorb(journal(trial, 10, always));
      verifier.look(LATER);
      verifier.close(fixId);
    }
    expect(ids.filter((fixId) => verifier.course(fixId).length === 0)).toEqual(['fix-0']);
  });
});

describe('the share held back after a confirmation', () => {
  it.for([
    [undefined, 0.9],
    [0.02, 0.9],
    [0.3, 0.7],
    [0.9, 0.5],
    [-1, 0.9],
  ] as const)('of a wish for %j leaves %d to the fix first', ([holdout, share]) => {
    const trial = trialOf();
    const verifier = new Verifier(holdout === undefined ? {} : { holdout });
    verifier.open(trial);
    verifier.absorb(journal(trial, 600, failing(0.3, 0.2, 1)));
    expect(verifier.look(LATER).verdicts).toMatchObject([{ verdict: { kind: 'confirmed' }, trial: { share } }]);
  });
});

describe('the verifier is due', () => {
  it('once tasks below the watermark wait for their bet, and not before', () => {
    const trial = trialOf();
    const verifier = opened(trial);
    expect(verifier.isDue(LATER, LATER)).toBe(false);
    verifier.absorb(journal(trial, 5, always));
    expect(verifier.isDue(LATER, LATER)).toBe(true);
    verifier.advance(LATER, LATER);
    expect(verifier.isDue(LATER, LATER)).toBe(false);
    expect(new Verifier().isDue(LATER, LATER)).toBe(false);
  });
});

it('recommends to roll a confirmed fix back with the reason, the figures and a failed verdict', () => {
  const trial = { ...trialOf(), phase: 'holdout', share: 0.5 } as const;
  const verifier = opened(trial);
  verifier.absorb(journal(trial, 400, (arm) => arm === 'fix'));
  const { alarms, verdicts, changes } = verifier.look(LATER);
  expect([verdicts, changes]).toEqual([[], []]);
  expect(alarms).toEqual([
    { fixId: FIX, reason: expect.stringMatching(/\w/), verdict: expect.objectContaining({ kind: 'failed' }) },
  ]);
  expect(alarms[0]?.verdict.figures).toEqual(verifier.figures(FIX));
});
