import type { CycleReport } from '../contract/cycle-report.js';
import type { Fix } from '../contract/fix.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { approvesItself } from '../fix/auto-approval.js';
import { reasonToWait } from '../fix/conflicts.js';
import { countAdvised, isReady, whatFixNeeds } from '../fix/readiness.js';
import { readBatch } from '../ledger/batch.js';
import { reduce } from '../ledger/reduce.js';
import { nextPlace, withOpened } from '../ledger/trial-counts.js';
import { wilsonRate } from '../lib/statistics.js';
import { messageOf } from '../lib/text.js';
import { Pace } from '../lib/yield-to-event-loop.js';
import { whyNoTrials } from './active-fixes.js';
import type { Components } from './components.js';
import { AUTO, isUnproven, whatFollows } from './conclude.js';
import { isOwn, withCauses } from './suggest-causes.js';
import { syncRuleFiles } from './sync-rule-files.js';
import { trialOfFix } from './trial-of-fix.js';

/** What one turn works with. */
interface CycleContext extends Components {
  readonly atMs: number;
  readonly patterns: readonly Pattern[];
  /** The same by id. */
  readonly seen: ReadonlyMap<string, Pattern>;
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
}

export interface CycleOptions {
  readonly leads: boolean;
  /** Hears what was found before anything is decided on it. */
  readonly onPatterns: (patterns: readonly Pattern[]) => void;
}

/** One turn of the loop. Only the process that leads decides; the others follow its decisions. */
export async function runCycle(components: Components, options: CycleOptions): Promise<CycleReport> {
  const watermarkMs = await askWatermark(components);
  await (options.leads ? observe(components, watermarkMs) : components.ledger.follow());
  const atMs = components.clock.now();
  const pace = new Pace(components.clock);
  const patterns = await pace.run(components.analyzer.findPatterns(atMs));
  options.onPatterns(patterns);
  const tasks = new Map((await pace.run(components.analyzer.describeTasks(atMs))).map((task) => [task.task, task]));
  const seen = new Map(patterns.map((pattern) => [pattern.id, pattern]));
  const noTrials = whyNoTrials(components);
  const now: CycleContext = { ...components, ...(noTrials !== undefined && { noTrials }), atMs, patterns, seen, tasks };
  const verdicts = options.leads ? await verify(now) : [];
  if (options.leads) {
    // What was taken back leaves its file before anything else is proposed in its place.
    await components.ruleFiles.refresh();
    await syncRuleFiles(now, atMs);
    await propose(now);
    await decide(now);
    await tryOut(now);
    await components.applied.assess(components, tasks, atMs);
    await study(now);
  }
  await pace.run(components.health.prepare());
  const shown = withCauses(patterns, components.ledger.state.causes);
  return {
    atMs,
    patterns: shown,
    fixes: [...components.ledger.state.fixes.values()],
    verdicts,
    health: components.health.health(atMs),
  };
}

/** Asks the model, when everything is decided: a slow one holds up nothing but the next turn. */
async function study({ study, ledger, store, noTrials, patterns }: CycleContext): Promise<void> {
  if (ledger.state.frozen || noTrials) return;
  await study?.suggestCauses({ ledger, store }, patterns);
}

/**
 * Takes in what happened since the last cycle, and lets the trials bet on it. Both are noted in the ledger: a replay takes
 * the same batches and bets at the same moments.
 */
export async function observe(
  components: Components,
  watermarkMs: number,
  { onlyRecords = false }: { readonly onlyRecords?: boolean } = {},
): Promise<void> {
  const { ledger, store, clock, verifier } = components;
  for (let more = true; more; ) {
    await ledger.follow();
    const { read } = ledger.state;
    const batch = await readBatch(store, read);
    // Time alone can end a unit or a trial.
    const isDue = batch.records.length > 0 || (!onlyRecords && verifier.isDue(clock.now(), watermarkMs));
    if (!isDue) return;
    // A full batch is not all there was: nothing can be bet on before the rest is read.
    const entry: LedgerEntry = {
      kind: 'cycle',
      atMs: clock.now(),
      by: store.writer,
      read: batch.read,
      watermarkMs: batch.more ? 0 : watermarkMs,
    };
    // When another process took in some of these records meanwhile, nothing is appended and they are read again.
    const appended = await ledger.append((state) => (state.read === read ? [entry] : []), batch);
    more = batch.more || appended.length === 0;
  }
}

/** Writes down what the bets say, and gives the verdicts among it. */
async function verify(now: CycleContext): Promise<CycleReport['verdicts']> {
  const { ledger, verifier, events, noTrials, atMs } = now;
  const entries = await ledger.appendLegal((state) => whatFollows(verifier.report(), state, atMs, noTrials));
  for (const { fixId, why, count } of verifier.takeIgnored()) {
    events.emit({ kind: 'problem', where: 'verify', message: `trial of ${fixId}: ${count} ${IGNORED[why]}` });
  }
  for (const fix of ledger.state.active.values()) {
    const figures = fix.status === 'trial' ? verifier.figures(fix.id) : undefined;
    if (figures) events.emit({ kind: 'trial-progressed', fix, figures });
  }
  return entries.flatMap((entry) =>
    entry.kind === 'fix-moved' && entry.verdict ? [{ fixId: entry.fixId, verdict: entry.verdict }] : [],
  );
}

const IGNORED = {
  repeated: 'starts or ends with an id that was known already were ignored: give each task an id of its own',
  late: 'tasks were not bet on, because the unit they began in had been: look at the clocks of this machine and others',
  overdue:
    'tasks ended after their deadline and count as failed in the arm they were given: say how long they may take with `deadlineMs` in loop.run or loop.begin',
  'left-out': 'tasks were not bet on, because too many others have not ended',
} as const;

/** Before which moment everything that living processes wrote can be read. Ask first, read then. */
export async function askWatermark({ store, clock }: Components): Promise<number> {
  const living = (await store.writers()).filter(({ alive }) => alive);
  return Math.min(clock.now(), ...living.map(({ watermarkMs }) => watermarkMs));
}

async function propose(now: CycleContext): Promise<void> {
  const { ledger, fixer, patterns, tasks, ruleDrafts, atMs } = now;
  const ofHost = patterns.filter((pattern) => !isOwn(pattern));
  if (ruleDrafts) await ruleDrafts.ask(fixer.questions(ofHost, tasks, ledger.state.active));
  await ledger.appendLegal((state) => {
    const ended = eachFix(state.active.values(), now, (fix) => whatTimeDid(fix, now));
    const known = ended.reduce(reduce, state);
    const proposed = fixer.propose(ofHost, tasks, known, atMs);
    return [...ended, ...proposed.map((fix): LedgerEntry => ({ kind: 'fix-proposed', atMs, by: AUTO, fix }))];
  });
}

/** Expires a proposal whose failures ended or that nobody answered, and reopens a fix whose failures came back. */
function whatTimeDid(fix: Fix, { analyzer, seen, expireAfterMs, atMs }: CycleContext): readonly LedgerEntry[] {
  const { id: fixId, status } = fix;
  const pattern = seen.get(analyzer.resolve(fix.patternId));
  const move = (to: 'expired' | 'reopened', reason: string): readonly LedgerEntry[] => [
    { kind: 'fix-moved', atMs, by: AUTO, fixId, to, reason },
  ];
  if (status === 'proposed' && !pattern) return move('expired', 'its pattern was not seen for a whole window');
  if (isProposal(fix) && !fix.safe && atMs - fix.proposedMs >= expireAfterMs) {
    return move('expired', `nobody answered for ${Math.round(expireAfterMs / 86_400_000)} days`);
  }
  if (status !== 'confirmed' || !isBack(fix, pattern)) return [];
  return move('reopened', 'its pattern had been resolved and came back');
}

/** Approves what is safe and asks the gate about the rest. */
async function decide(now: CycleContext): Promise<void> {
  const { ledger, questions, noTrials, atMs } = now;
  await ledger.appendLegal(({ active, frozen }) => {
    if (frozen || noTrials) return [];
    return eachFix(active.values(), now, (fix) => {
      const reason = fix.status === 'proposed' ? whyApproved(fix, now) : undefined;
      if (reason === undefined) return [];
      return [{ kind: 'fix-moved', atMs, by: AUTO, fixId: fix.id, to: 'approved', reason }];
    });
  });
  if (ledger.state.frozen || noTrials) return;
  await questions.ask([...ledger.state.active.values()].filter((fix) => isProposal(fix) || isUnproven(fix)));
}

/** Returns why a proposal may be tried without asking; undefined where a person has to answer. */
function whyApproved(fix: Fix, now: CycleContext): string | undefined {
  const { tasks, repeats, autoFix, autoApprove, ruleFiles, analyzer, seen } = now;
  if (fix.change.kind === 'policy') {
    const isSafe = autoFix && fix.safe && fix.forecast.kind === 'testable';
    const task = tasks.get(fix.task);
    if (!isSafe || !task || !isReady(task)) return undefined;
    return repeats.forbids(fix.change, task) || repeats.question(fix.change, task) ? undefined : SAFE;
  }
  const pattern = seen.get(analyzer.resolve(fix.patternId));
  return approvesItself(fix, pattern, autoApprove, (file) => ruleFiles.isWritable(file));
}

const SAFE = 'safe: inside the fixed bounds, and shown or taken back by a trial';

/** Starts the trials of approved fixes, as many as may run side by side. */
async function tryOut(now: CycleContext): Promise<void> {
  const { ledger, tasks, repeats, noTrials, atMs } = now;
  await ledger.appendLegal(({ active, frozen, trials }) => {
    if (frozen || noTrials) return [];
    let opened = trials;
    const beside = [...active.values()].filter(({ status }) => status === 'trial');
    const advised = countAdvised(tasks);
    return eachFix(active.values(), now, (fix) => {
      const { id: fixId, unit, status } = fix;
      const task = tasks.get(fix.task);
      if (status !== 'approved' || !task || reasonToWait(fix, beside)) return [];
      if (repeats.forbids(fix.change, task)) return [];
      if (whatFixNeeds(fix.change, task, { repeats, advised }) !== undefined) return [];
      const trial = trialOfFix(fix, task, nextPlace(opened, fix), now);
      opened = withOpened(opened, fix);
      const reason = `every ${unit} in scope is drawn: half run with the fix, half without`;
      beside.push({ ...fix, status: 'trial' });
      return [{ kind: 'fix-moved', atMs, by: AUTO, fixId, to: 'trial', reason, trial }];
    });
  });
}

/** Collects entries fix by fix. A fix on which `entriesOf` throws is reported and left as it is; the others go on. */
function eachFix(
  fixes: Iterable<Fix>,
  { report }: CycleContext,
  entriesOf: (fix: Fix) => readonly LedgerEntry[],
): readonly LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const fix of fixes) {
    try {
      entries.push(...entriesOf(fix));
    } catch (error) {
      report({ where: 'cycle', message: `fix ${fix.id} was left as it is: ${messageOf(error)}` });
    }
  }
  return entries;
}

/**
 * A resolved pattern came back at half its old rate or more. One failure after a silence is none: a confirmed fix is held
 * back from some tasks, which go on failing now and then.
 */
function isBack({ verdict }: Fix, pattern: Pattern | undefined): boolean {
  const since = pattern?.sinceReturn;
  if (pattern === undefined || since === undefined) return false;
  const returned = Math.round(since.value * since.of);
  if (returned < MIN_RETURNED) return false;
  const figures = verdict && 'figures' in verdict ? verdict.figures : undefined;
  const { failures, tasks } = figures?.inScope?.control ?? figures?.control ?? NO_CONTROL;
  return wilsonRate(returned, since.of).low > (tasks > 0 ? failures / tasks : pattern.rate.value) / 2;
}

/** Failures since the return: what recurs, wherever that word is used. */
const MIN_RETURNED = 3;
const NO_CONTROL = { failures: 0, tasks: 0 };

/** A person is needed: the fix is not safe, or it may not be applied without being asked for. */
function isProposal(fix: Fix): boolean {
  return fix.status === 'proposed' && (fix.needs === undefined || fix.change.kind === 'rule');
}
