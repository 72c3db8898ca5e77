import type { Fix, FixId, Outcome, RSILoop, Start } from 'rsi-loop';
import { BoundedMap, isObject } from 'rsi-loop/kit';
import { parsed } from './body.js';
import { type Demand, demandsOf, type Followed, followed, signOfAll, stepsOf } from './demands.js';

/** How often the tasks or sessions that a trial gave a rule to did what it asks. Describes; no verdict depends on it. */
export interface RuleFollowed {
  readonly unit: 'session' | 'task';
  /** Ended sessions or tasks that got the rule. */
  readonly given: number;
  /** Number of `given` whose calls show that they followed it. */
  readonly followed: number;
  /** Number of `given` whose calls show that they did not. The calls of the rest do not show it. */
  readonly notFollowed: number;
}

/** A session that does not report its end counts as ended after this time, as in its trial. */
const IDLE_MS = 24 * 3_600_000;
/** Maximum number of tasks inside other tasks whose place is kept. */
const MAX_PARENTS = 200_000;
/** Maximum number of steps of one session or task. */
const MAX_STEPS = 5_000;

/**
 * Counts for each rule or text of a trial how often it was followed, by the recorded calls. Fixes whose text asks for
 * nothing that calls can show, and those of which no call shows it, are absent. Reads the stored records twice, and
 * nothing if no text asks for such a step.
 */
export async function countFollowed(
  loop: Pick<RSILoop, 'store'>,
  fixes: readonly Fix[],
): Promise<ReadonlyMap<FixId, RuleFollowed>> {
  const counts = new Map<FixId, FixCount>();
  for (const fix of fixes) {
    const count = FixCount.of(fix);
    if (count) counts.set(fix.id, count);
  }
  if (counts.size === 0) return new Map();
  const newestMs = await readInto(counts, loop.store.journal);
  const results = [...counts].map(([id, count]) => [id, count.result(newestMs)] as const);
  return new Map(results.flatMap(([id, result]) => (result ? [[id, result]] : [])));
}

/** Reads the records twice, because an outcome may be stored before the start of its session. Returns the newest time. */
async function readInto(counts: ReadonlyMap<FixId, FixCount>, journal: RSILoop['store']['journal']): Promise<number> {
  const parents = new BoundedMap<string>(MAX_PARENTS);
  for await (const { record } of journal.read()) {
    if (record.kind === 'start') addStart(record.start, counts);
    else if (record.outcome.parent !== undefined) parents.put(record.outcome.id, record.outcome.parent);
  }
  let newestMs = Number.NEGATIVE_INFINITY;
  for await (const { record } of journal.read()) {
    if (record.kind !== 'outcome') continue;
    newestMs = Math.max(newestMs, record.outcome.atMs);
    for (const count of counts.values()) count.addOutcome(record.outcome, parents);
  }
  return newestMs;
}

function addStart(start: Start, counts: ReadonlyMap<FixId, FixCount>): void {
  for (const { fixId, arm, unit } of start.arms) if (arm === 'fix') counts.get(fixId)?.addUnit(unit, start.atMs);
}

/** Session or task that got the rule. */
interface Unit {
  readonly beganMs: number;
  hasEnded: boolean;
  /** Whether it did a task that the rule is for. */
  isConcerned: boolean;
  hasCalls: boolean;
  readonly steps: { readonly atMs: number; readonly steps: readonly string[] }[];
  /** Sign that the recorder of the session computed itself. */
  told?: { readonly atMs: number; readonly sign: Followed };
}

class FixCount {
  readonly #units = new Map<string, Unit>();
  #seesCalls = false;

  private constructor(
    private readonly fix: Fix,
    private readonly unit: RuleFollowed['unit'],
    private readonly demands: readonly Demand[],
    private readonly period: { readonly sinceMs: number; readonly untilMs: number },
  ) {}

  /** Returns undefined without a trial of sessions or tasks, or if calls cannot show what the change asks. */
  static of(fix: Fix): FixCount | undefined {
    const trial = fix.trial ?? fix.trialEnd?.trial;
    if (!trial || trial.unit === 'block') return undefined;
    const demands = demandsOf(fix.change);
    if (demands.length === 0) return undefined;
    const isOpen = fix.status === 'trial' || fix.status === 'confirmed';
    const endMs = isOpen ? undefined : (fix.verdict?.atMs ?? fix.trialEnd?.atMs);
    const period = { sinceMs: trial.openedMs, untilMs: endMs ?? Number.POSITIVE_INFINITY };
    return new FixCount(fix, trial.unit, demands, period);
  }

  addUnit(id: string, atMs: number): void {
    if (atMs < this.period.sinceMs || atMs > this.period.untilMs || this.#units.has(id)) return;
    const isConcerned = this.unit === 'task' || 'version' in this.fix.change;
    this.#units.set(id, { beganMs: atMs, hasEnded: false, isConcerned, hasCalls: false, steps: [] });
  }

  addOutcome(outcome: Outcome, parents: { get(id: string): string | undefined }): void {
    const unit = this.#unitOf(outcome, parents);
    if (!unit) return;
    if (this.unit === 'task' ? this.#units.has(outcome.id) : outcome.endsSession === true) unit.hasEnded = true;
    if (outcome.task === this.fix.task) unit.isConcerned = true;
    const told = toldSign(outcome, this.fix.id);
    if (told !== undefined && outcome.atMs >= (unit.told?.atMs ?? 0)) unit.told = { atMs: outcome.atMs, sign: told };
    if (outcome.tool === undefined) return;
    unit.hasCalls = true;
    this.#seesCalls = true;
    if (unit.steps.length >= MAX_STEPS) return;
    const { tool, success } = outcome;
    const steps = stepsOf({ tool, input: inputOf(outcome), hasFailed: !success }, this.demands);
    if (steps.length > 0) unit.steps.push({ atMs: outcome.atMs, steps });
  }

  result(newestMs: number): RuleFollowed | undefined {
    const signs = [...this.#units.values()].flatMap((unit) => {
      const isOver = unit.hasEnded || (this.unit === 'session' && newestMs - unit.beganMs >= IDLE_MS);
      return isOver && unit.isConcerned ? this.#signOf(unit) : [];
    });
    const count = (wanted: Followed) => signs.filter((sign) => sign === wanted).length;
    const [yes, no] = [count('y'), count('n')];
    return yes + no > 0 ? { unit: this.unit, given: signs.length, followed: yes, notFollowed: no } : undefined;
  }

  #signOf({ told, steps, hasCalls }: Unit): Followed {
    if (told) return told.sign;
    // Without any recorded call, absence says nothing; with some, a unit without calls made none.
    if (!hasCalls && !this.#seesCalls) return '-';
    const inOrder = [...steps].sort((one, other) => one.atMs - other.atMs).flatMap((one) => one.steps);
    return signOfAll(followed(this.demands, inOrder));
  }

  #unitOf({ id, session, parent }: Outcome, parents: { get(id: string): string | undefined }): Unit | undefined {
    if (this.unit === 'session') return session === undefined ? undefined : this.#units.get(session);
    const own = this.#units.get(id);
    if (own) return own;
    const seen = new Set<string>();
    for (let at: string | undefined = parent; at !== undefined && !seen.has(at); at = parents.get(at)) {
      const unit = this.#units.get(at);
      if (unit) return unit;
      seen.add(at);
    }
    return undefined;
  }
}

/** Returns the sign that a hook, or the host, stated in `context.followed`. */
function toldSign({ context }: Outcome, id: FixId): Followed | undefined {
  const signs = context?.followed;
  const sign = isObject(signs) ? signs[id] : undefined;
  return sign === 'y' || sign === 'n' ? sign : undefined;
}

/** Returns the input of a call, as hosts and importers put it into the context. */
function inputOf({ context = {} }: Outcome): unknown {
  return parsed(context.input ?? context.arguments ?? context);
}
