import type { FixId, OutcomeId } from '../../../src/contract/ids.js';
import type { JournalRecord } from '../../../src/contract/journal-record.js';
import type { JsonObject } from '../../../src/contract/json.js';
import type { Outcome } from '../../../src/contract/outcome.js';
import type { Scope } from '../../../src/contract/scope.js';
import type { Arm, Start } from '../../../src/contract/start.js';
import type { Trial } from '../../../src/contract/trial.js';
import type { Random } from '../../../src/lib/random.js';
import { assignArms } from '../../../src/verify/assign.js';
import type { TrialPlace } from '../../../src/verify/level.js';
import { planTrial } from '../../../src/verify/plan.js';
import { Verifier } from '../../../src/verify/verifier.js';

const FIX = 'simulated' as FixId; // a brand has no other way to come into being
const BEGIN_MS = 1_700_000_000_000;
const DEADLINE_MS = 600_000;

/** Faults of one task of a life. */
export interface LifeTask {
  readonly scope: Scope;
  readonly session?: string;
  /** How it ends in this arm. */
  readonly end: (arm: Arm) => Partial<Outcome> & { readonly failed: boolean };
}

/** How one fix fared from its trial to the end of its life, in tasks since the trial began. */
export interface Life {
  readonly confirmedAt?: number;
  /** Rejected in its trial, or taken back after it. */
  readonly endedAt?: number;
  readonly why?: string;
  /** How often the share went back to one half after the confirmation. */
  readonly wakeUps: readonly number[];
  /** Tasks on which the fix was in force or in its own arm, until it ended. */
  readonly exposed: number;
  readonly trial: Trial;
  readonly verifier: Verifier;
}

export interface LifeOptions {
  readonly tasks: number;
  readonly past?: Trial['past'];
  /** A look after so many tasks, one a second. Default 10. */
  readonly lookEvery?: number;
  readonly unit?: Trial['unit'];
  /** Default the first trial of its loop. */
  readonly place?: TrialPlace;
  /** The life ends with the confirmation. Default false. */
  readonly untilConfirmed?: boolean;
  /** Settings of the fix. */
  readonly set?: JsonObject;
}

/** Lets a fix live through the whole Verifier: trial, confirmation, holdout, alarms. */
export function live(taskOf: (number: number) => LifeTask, random: Random, options: LifeOptions): Life {
  const { tasks, past = { tasks: 100, failures: 20 }, lookEvery = 10, unit = 'task', set = {} } = options;
  const { place = { trial: 1, confirmed: 0, attempt: 1 }, untilConfirmed = false } = options;
  let trial = planTrial({
    ...{
      fixId: FIX,
      scope: { task: 'ask' },
      unit,
      set,
      nowMs: BEGIN_MS,
      place,
      tasksPerDay: 86_400,
    },
    ...{ longestWaitMs: 0, past, seed: Math.floor(random() * 2 ** 31) },
  });
  const verifier = new Verifier();
  verifier.open(trial);
  const wakeUps: number[] = [];
  let confirmedAt: number | undefined;
  let exposed = 0;
  const lifeOf = (endedAt?: number, why?: string): Life => ({
    ...{ wakeUps, exposed, trial, verifier },
    ...(confirmedAt !== undefined && { confirmedAt }),
    ...(endedAt !== undefined && why !== undefined && { endedAt, why }),
  });
  let records: JournalRecord[] = [];
  for (let number = 0; number < tasks; number++) {
    const atMs = BEGIN_MS + number * 1000;
    const { scope, session, end } = taskOf(number);
    const id = `task-${number}` as OutcomeId; // as above
    const arms = assignArms([trial], { id, scope, atMs, ...(session !== undefined && { session }) });
    const arm = arms[0]?.arm ?? 'fix';
    if (arm === 'fix' && scope.task === 'ask') exposed++;
    const task = scope.task ?? 'ask';
    const start: Start = { id, task, atMs, deadlineMs: atMs + DEADLINE_MS, scope, arms, writer: 'w', counter: number };
    const { failed, ...more } = end(arm);
    const outcome: Outcome = {
      id,
      task,
      success: !failed,
      atMs: atMs + 500,
      source: 'generic',
      issues: [],
      managed: true,
      ...more,
    };
    const inSession = session !== undefined && { session };
    if (arms.length > 0) records.push({ kind: 'start', start: { ...start, ...inSession } });
    records.push({ kind: 'outcome', outcome: { ...outcome, ...scope, ...inSession } });
    if ((number + 1) % lookEvery !== 0) continue;
    verifier.absorb(records);
    records = [];
    const { verdicts, changes, alarms } = verifier.look(atMs + 1000);
    if (alarms[0]) return lifeOf(number + 1, alarms[0].reason);
    const [reached] = verdicts;
    if (reached && reached.verdict.kind !== 'confirmed') {
      const { verdict } = reached;
      const why = verdict.kind === 'failed' && verdict.guard ? verdict.guard : verdict.why;
      return lifeOf(number + 1, why);
    }
    if (reached) confirmedAt ??= number + 1;
    if (reached && untilConfirmed) return lifeOf();
    const next = reached?.trial ?? changes[0]?.trial;
    if (!next) continue;
    if (confirmedAt !== undefined && next.share === 0.5 && trial.share > 0.5) wakeUps.push(number + 1);
    trial = next;
    verifier.open(next);
  }
  return lifeOf();
}
