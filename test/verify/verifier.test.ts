import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import { seededRandom } from '../../src/lib/random.js';
import { assignArms } from '../../src/verify/assign.js';
import { Verifier } from '../../src/verify/verifier.js';
import { FIX, failing, journal, T0, trialOf } from './harness.js';

describe('Verifier', () => {
  it('confirms a fix that helps, says so until the trial goes on, and then keeps a holdout', () => {
    const trial = trialOf();
    const verifier = new Verifier();
    verifier.open(trial);
    verifier.absorb(journal(trial, 600, failing(0.3, 0.2, 1)));
    const nowMs = T0 + 700_000;
    const [first] = verifier.look(nowMs).verdicts;
    expect(first?.verdict.kind).toBe('confirmed');
    expect(verifier.look(nowMs + 1000).verdicts[0]?.verdict).toEqual(first?.verdict);
    expect(first?.trial).toMatchObject({ phase: 'holdout', share: 0.9 });
    if (first?.trial) verifier.open(first.trial);
    expect(verifier.look(nowMs + 2000).verdicts).toEqual([]);
  });

  it('keeps the course of a trial after it has ended, also over a restart', () => {
    const trial = trialOf();
    let verifier = new Verifier();
    verifier.open(trial);
    const records = journal(trial, 600, failing(0.3, 0.2, 1));
    for (let from = 0; from < records.length; from += 20) {
      verifier.absorb(records.slice(from, from + 20));
      verifier.look(T0 + 500 * (from + 20));
    }
    const [ended] = verifier.look(T0 + 700_000).verdicts;
    const course = verifier.course(FIX);
    const { fix, control, eHelp = 0 } = ended?.verdict.figures ?? {};
    expect(course.length).toBeGreaterThan(3);
    expect(course.at(-1)).toMatchObject({
      fix: { tasks: fix?.tasks, failures: fix?.failures },
      control: { tasks: control?.tasks, failures: control?.failures },
      eHelp: Number(eHelp.toPrecision(4)),
    });
    verifier = new Verifier({}, JSON.parse(JSON.stringify(verifier.snapshot())));
    expect(verifier.course(FIX)).toEqual(course);
    verifier.close(FIX);
    verifier = new Verifier({}, JSON.parse(JSON.stringify(verifier.snapshot())));
    expect(verifier.course(FIX)).toEqual(course);
    verifier.open(trial);
    expect(verifier.course(FIX)).toEqual([]);
  });

  it('fails a fix whose failures vanish: what never ends has failed at its deadline', () => {
    const trial = trialOf();
    const verifier = new Verifier();
    verifier.open(trial);
    const fails = failing(0.2, 3, 2);
    const vanished = new Set<string>();
    const records = journal(trial, 900, fails).filter((record) => {
      if (record.kind === 'start' || record.outcome.success) return true;
      vanished.add(record.outcome.id);
      return false;
    });
    verifier.absorb(records);
    expect(verifier.look(T0 + 1_000_000).verdicts).toEqual([]);
    expect(verifier.look(T0 + 5_000_000).verdicts[0]?.verdict.kind).toBe('failed');
    expect(vanished.size).toBeGreaterThan(100);
  });

  it('fires a guard when every answer takes twice as long', () => {
    const trial = trialOf();
    const verifier = new Verifier();
    verifier.open(trial);
    const random = seededRandom(3);
    const more = (arm: 'fix' | 'control') => ({ durationMs: (arm === 'fix' ? 2 : 1) * (80 + 40 * random()) });
    verifier.absorb(journal(trial, 600, failing(0.05, 1, 4), { more }));
    expect(verifier.look(T0 + 700_000).verdicts[0]?.verdict).toMatchObject({ why: 'guard', guard: 'duration' });
  });

  it('counts what exceeds the limit of the trial as failed, so that a faster model can be proven', () => {
    const trial = { ...trialOf(), atMost: { durationMs: 100 } };
    const verifier = new Verifier();
    verifier.open(trial);
    const random = seededRandom(8);
    const more = (arm: 'fix' | 'control') => ({ durationMs: (arm === 'fix' ? 60 : 120) * random() });
    verifier.absorb(journal(trial, 600, failing(0, 1, 4), { more }));
    const [reached] = verifier.look(T0 + 700_000).verdicts;
    expect(reached?.verdict).toMatchObject({ kind: 'confirmed', figures: { fix: { failures: 0 } } });
    const plain = new Verifier();
    plain.open(trialOf());
    plain.absorb(journal(trialOf(), 600, failing(0, 1, 4), { more }));
    expect(plain.figures(FIX)?.control.failures).toBe(0);
  });

  it('gives the same verdict for the same records in any order, twice over, and with a restart in the middle', () => {
    const trial = trialOf();
    const records = journal(trial, 500, failing(0.3, 0.4, 5));
    const straight = new Verifier();
    straight.open(trial);
    straight.absorb(records);
    const expected = straight.look(T0 + 600_000).verdicts;
    expect(expected).toHaveLength(1);

    const random = seededRandom(6);
    const shuffled = [...records, ...records]
      .map((record) => ({ record, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ record }) => record);
    let other = new Verifier();
    other.open(trial);
    other.absorb(shuffled.slice(0, 700));
    other = new Verifier({}, JSON.parse(JSON.stringify(other.snapshot())));
    other.absorb(shuffled.slice(700));
    const report = other.look(T0 + 600_000);
    expect(report.verdicts).toEqual(expected);
    expect(other.takeIgnored()[0]?.why).toBe('repeated');
  });

  it('bets on blocks without their first part, and ramps before it confirms', () => {
    let trial = trialOf({ unit: 'block' });
    const verifier = new Verifier();
    verifier.open(trial);
    const fails = failing(0.3, 0.2, 8);
    const seen: string[] = [];
    let second = 0;
    for (; second < 8_000 && !seen.includes('confirmed'); second += 50) {
      verifier.absorb(journal(trial, 50, fails, { from: second }));
      const { verdicts, changes } = verifier.look(T0 + (second + 50) * 1000);
      if (changes[0]) trial = changes[0].trial;
      if (changes[0]) verifier.open(trial);
      seen.push(...changes.map((change) => change.trial.phase), ...verdicts.map(({ verdict }) => verdict.kind));
    }
    expect(seen).toEqual(['ramp', 'confirmed']);
    const { fix, control } = verifier.figures(FIX) ?? { fix: undefined, control: undefined };
    expect((fix?.tasks ?? 0) / (fix?.units ?? 1)).toBe(35);
    expect(control?.units).toBeGreaterThan(0);
  });

  it('fails a fix for interference when failures rise with its share', () => {
    let trial = trialOf({ unit: 'block' });
    const verifier = new Verifier();
    verifier.open(trial);
    const random = seededRandom(9);
    // Its gain in its own blocks costs all other tasks, more so with a larger share.
    const fails = (arm: string, _: number, share: number) =>
      random() < (share > 0.5 ? 1 : 0.3) * (arm === 'fix' ? 0.5 : 1);
    for (let second = 0; second < 8_000; second += 50) {
      verifier.absorb(journal(trial, 50, fails, { from: second }));
      const { verdicts, changes } = verifier.look(T0 + (second + 50) * 1000);
      if (verdicts[0]) {
        expect(verdicts[0].verdict).toMatchObject({ kind: 'failed', why: 'interference' });
        return;
      }
      if (changes[0]) trial = changes[0].trial;
      if (changes[0]) verifier.open(trial);
    }
    expect.unreachable('no verdict');
  });

  it('bets on a session once, when it ends or a day after its first task', () => {
    const trial = trialOf({ unit: 'session' });
    const verifier = new Verifier();
    verifier.open(trial);
    const session = (index: number) => `s${Math.floor(index / 10)}`;
    const more = (_: string, index: number) =>
      index % 10 === 9 && index < 100 ? { session: session(index), endsSession: true } : {};
    verifier.absorb(journal(trial, 200, failing(0.3, 1, 10), { session, more }));
    const units = () => {
      const figures = verifier.figures(FIX);
      return (figures?.fix.units ?? 0) + (figures?.control.units ?? 0);
    };
    verifier.look(T0 + 300_000);
    expect(units()).toBe(10);
    verifier.look(T0 + 25 * 3_600_000);
    expect(units()).toBe(20);
    expect((verifier.figures(FIX)?.fix.tasks ?? 0) + (verifier.figures(FIX)?.control.tasks ?? 0)).toBe(200);
  });

  it('does not wait for sessions that live on for days, and does not count their later days', () => {
    const trial = trialOf({ unit: 'session' });
    const verifier = new Verifier();
    verifier.open(trial);
    // Ten tasks of each session in the first minutes, and one a day for ten days more.
    const session = (index: number) => `s${index % 20}`;
    const DAY_S = 86_400;
    verifier.absorb(journal(trial, 200, failing(0.3, 1, 10), { session }));
    for (let day = 1; day <= 10; day++) {
      const from = day * DAY_S + 200;
      verifier.absorb(journal(trial, 20, () => true, { session, from }));
      verifier.look(T0 + (from + 3_600) * 1000);
    }
    const { fix, control } = verifier.figures(FIX) ?? {};
    expect((fix?.units ?? 0) + (control?.units ?? 0)).toBe(20);
    expect((fix?.tasks ?? 0) + (control?.tasks ?? 0)).toBe(200);
    expect(verifier.takeIgnored()).toEqual([]);
  });

  it('counts the same tasks of a session however late it is looked at', () => {
    const trial = trialOf({ unit: 'session' });
    const session = () => 's1';
    const records = [0, 80_000, 90_000, 170_000].flatMap((from) => journal(trial, 5, () => true, { session, from }));
    const often = new Verifier();
    const once = new Verifier();
    for (const verifier of [often, once]) verifier.open(trial);
    for (const record of records) {
      often.absorb([record]);
      often.look(T0 + ((record.kind === 'start' ? record.start.atMs : record.outcome.atMs) - T0) + 1);
    }
    once.absorb(records);
    for (const verifier of [often, once]) verifier.look(T0 + 10 * 86_400_000);
    expect(once.figures(FIX)).toEqual(often.figures(FIX));
    expect((once.figures(FIX)?.fix.tasks ?? 0) + (once.figures(FIX)?.control.tasks ?? 0)).toBe(10);
  });

  it('takes the end of a session from any of its tasks, also one that the trial is not about', () => {
    const trial = trialOf({ unit: 'session' });
    const verifier = new Verifier();
    verifier.open(trial);
    verifier.absorb(journal(trial, 20, failing(0.3, 1, 10), { session: (index) => `s${Math.floor(index / 10)}` }));
    const over = (session: string, atMs: number): JournalRecord => ({
      kind: 'outcome',
      outcome: {
        ...{ id: `end-${session}` as OutcomeId, task: 'session', source: 'generic', success: true, issues: [] },
        ...{ session, atMs, endsSession: true },
      },
    });
    // The second session continued after a caller had said that it was over.
    verifier.absorb([over('s0', T0 + 11_000), over('s1', T0 + 12_000)]);
    verifier.look(T0 + 60_000);
    const figures = verifier.figures(FIX);
    expect((figures?.fix.units ?? 0) + (figures?.control.units ?? 0)).toBe(1);
    const kept = new Verifier({}, JSON.parse(JSON.stringify(verifier.snapshot())));
    kept.absorb([over('s1', T0 + 70_000)]);
    kept.look(T0 + 80_000);
    expect((kept.figures(FIX)?.fix.units ?? 0) + (kept.figures(FIX)?.control.units ?? 0)).toBe(2);
  });

  it('counts what a session records about the task, though only the session itself was begun', () => {
    const trial = trialOf({ unit: 'session' });
    const verifier = new Verifier();
    verifier.open(trial);
    const random = seededRandom(31);
    const records = Array.from({ length: 200 }, (_, number): JournalRecord[] => {
      const session = `s${number}`;
      const atMs = T0 + number * 60_000;
      const scope = { task: 'session', source: 'hooks' };
      const id = `begin-${number}` as OutcomeId;
      const arms = assignArms([trial], { id, scope, atMs, session });
      const start: JournalRecord = {
        kind: 'start',
        start: { id, task: 'session', atMs, deadlineMs: atMs + 1_000, scope, arms, session, writer: 'w', counter: 0 },
      };
      const end = (task: string, index: number, success: boolean): JournalRecord => ({
        kind: 'outcome',
        outcome: {
          ...{ id: `${session}-${task}-${index}` as OutcomeId, task, source: 'hooks', success, session, issues: [] },
          ...{ atMs: atMs + index * 1_000, durationMs: 10, endsSession: task === 'session' },
        },
      });
      const rate = arms[0]?.arm === 'fix' ? 0.1 : 0.5;
      const asked = [1, 2, 3].map((index) => end('ask', index, random() >= rate));
      // The same outcome twice, another task, and a session that the trial does not know.
      const noise = [asked[0] as JournalRecord, end('other', 4, false)];
      const stranger = end('ask', 9, false);
      if (stranger.kind === 'outcome') Object.assign(stranger.outcome, { session: `x${number}` });
      return [start, ...asked, ...noise, stranger, end('session', 10, true)];
    }).flat();
    for (let from = 0; from < records.length; from += 97) {
      verifier.absorb(records.slice(from, from + 97));
      const last = records[Math.min(records.length - 1, from + 96)];
      verifier.look(last?.kind === 'start' ? last.start.atMs : (last?.outcome.atMs ?? 0));
    }
    const report = verifier.look(T0 + 201 * 60_000);
    expect(report.verdicts[0]?.verdict).toMatchObject({ kind: 'confirmed' });
    const figures = verifier.figures(FIX);
    const units = (figures?.fix.units ?? 0) + (figures?.control.units ?? 0);
    expect(units).toBeGreaterThan(10);
    expect((figures?.fix.tasks ?? 0) + (figures?.control.tasks ?? 0)).toBe(3 * units);
  });

  it('holds back from fewer tasks after the first thousand, and rings when the fix begins to harm', () => {
    let trial = { ...trialOf(), phase: 'holdout' as const, share: 0.9 };
    const verifier = new Verifier();
    verifier.open(trial);
    const good = failing(0.3, 0.1, 11);
    const bad = failing(0.3, 2.5, 12);
    const shares: number[] = [];
    for (let second = 0; second < 8_000; second += 100) {
      verifier.absorb(journal(trial, 100, second < 3000 ? good : bad, { from: second }));
      const { changes, alarms } = verifier.look(T0 + (second + 100) * 1000);
      if (alarms.length > 0) {
        expect(second).toBeGreaterThanOrEqual(3000);
        expect(shares).toEqual([0.98, 0.5]);
        return;
      }
      for (const change of changes) {
        shares.push(change.trial.share);
        trial = { ...trial, share: change.trial.share };
        verifier.open(trial);
      }
    }
    expect.unreachable('the alarm never rang');
  });

  it('ends undecided trials as inconclusive, by their deadline or because enough was seen, and goes on when extended', () => {
    const trial = trialOf();
    const verifier = new Verifier();
    verifier.open(trial);
    verifier.absorb(journal(trial, 50, failing(0.2, 1, 13)));
    expect(verifier.look(trial.deadlineMs).verdicts).toEqual([]);
    const late = trial.deadlineMs + 1;
    expect(verifier.look(late).verdicts[0]?.verdict).toMatchObject({ kind: 'inconclusive', why: 'deadline' });
    verifier.open({ ...trial, deadlineMs: late + 86_400_000 });
    expect(verifier.look(late).verdicts).toEqual([]);

    const undecided = new Verifier();
    undecided.open(trial);
    undecided.absorb(journal(trial, 4000, failing(0.2, 0.9, 5)));
    expect(undecided.look(T0 + 5_000_000).verdicts[0]?.verdict).toMatchObject({ why: 'enough-failures-seen' });
  });

  it('gives a weak but promising fix more time than a useless one', () => {
    const trial = trialOf();
    const tasksOf = (ratio: number, seed: number) => {
      const verifier = new Verifier();
      verifier.open(trial);
      verifier.absorb(journal(trial, 6000, failing(0.2, ratio, seed)));
      const { kind, figures } = verifier.look(T0 + 7_000_000).verdicts[0]?.verdict ?? {};
      return { kind, tasks: (figures?.fix.tasks ?? 0) + (figures?.control.tasks ?? 0) };
    };
    const useless = Array.from({ length: 8 }, (_, seed) => tasksOf(1, seed));
    const weak = Array.from({ length: 8 }, (_, seed) => tasksOf(0.75, seed));
    const median = useless.map(({ tasks }) => tasks).sort((a, b) => a - b)[4];
    expect(median).toBeLessThan(1_500);
    expect(weak.filter(({ kind }) => kind === 'confirmed').length).toBeGreaterThanOrEqual(6);
    expect(Math.max(...weak.map(({ tasks }) => tasks))).toBeGreaterThan(1_500);
  });

  it('says how many starts it ignored: repeated ones, and those of units that were bet on', () => {
    const trial = trialOf({ unit: 'block' });
    const verifier = new Verifier();
    verifier.open(trial);
    const records = journal(trial, 200, failing(0.2, 1, 15));
    verifier.absorb(records.slice(0, 380));
    verifier.look(T0 + 250_000);
    verifier.absorb(records.slice(60, 98));
    verifier.look(T0 + 250_000);
    expect(verifier.takeIgnored().map(({ why }) => why)).toEqual(['repeated']);
    const [stranger] = journal(trial, 1, failing(0.2, 1, 16), { from: 30 });
    if (stranger?.kind === 'start') {
      verifier.absorb([{ kind: 'start', start: { ...stranger.start, id: 'new' as typeof stranger.start.id } }]);
    }
    verifier.look(T0 + 250_000);
    expect(verifier.takeIgnored()).toEqual([{ fixId: FIX, why: 'late', count: 1 }]);
  });

  it('is not held up or broken by records that cannot be', () => {
    const trial = trialOf();
    const verifier = new Verifier();
    verifier.open(trial);
    const records = journal(trial, 600, failing(0.3, 0.2, 1)).map((record, index) => {
      if (record.kind !== 'start' || index > 6) return record;
      const broken = [
        { atMs: Number.NaN },
        { deadlineMs: Number.POSITIVE_INFINITY },
        { arms: [{ fixId: FIX, unit: '', arm: 'fix' as const, share: Number.NaN }] },
      ];
      return { ...record, start: { ...record.start, ...broken[(index / 2) % 3] } };
    });
    verifier.absorb(records);
    expect(verifier.look(T0 + 700_000).verdicts[0]?.verdict.kind).toBe('confirmed');
  });

  it('goes on byte for byte from a snapshot at any moment', () => {
    const trial = trialOf({ unit: 'session' });
    const session = (index: number) => `s${Math.floor(index / 7)}`;
    const records = journal(trial, 300, failing(0.3, 0.8, 17), { session });
    const straight = new Verifier();
    let restarted = new Verifier();
    for (const one of [straight, restarted]) one.open(trial);
    for (let from = 0; from < records.length; from += 40) {
      for (const one of [straight, restarted]) {
        one.absorb(records.slice(from, from + 40));
        one.look(T0 + from * 500 + 3_600_000 * from);
      }
      restarted = new Verifier({}, JSON.parse(JSON.stringify(restarted.snapshot())));
      expect(JSON.stringify(restarted.snapshot())).toBe(JSON.stringify(straight.snapshot()));
    }
  });
});
