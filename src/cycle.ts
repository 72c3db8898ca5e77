import { classifyError } from './classify/classify-error.js';
import { replacedBy } from './decisions.js';
import { approvesItself } from './fix/auto-approval.js';
import { reasonToWait } from './fix/conflicts.js';
import { countAdvised, isReady, whatItNeeds } from './fix/readiness.js';
import { keepFiles } from './keep-files.js';
import { readBatch } from './ledger/batch.js';
import type { LedgerState } from './ledger/reduce.js';
import type {
  CycleReport,
  Fix,
  FixId,
  FixStatus,
  LedgerEntry,
  Pattern,
  TaskStatistics,
  Trial,
  TrialVerdict,
  Verdict,
} from './records.js';
import type { Rooms } from './rooms.js';
import { isOwn, withCauses } from './study.js';
import { longestWait, planTrial } from './verify/plan.js';
import type { LookReport } from './verify/verifier.js';

/** Who acts when no person does. */
const AUTO = 'auto';

/** What one turn works with. */
interface Turn extends Rooms {
  readonly atMs: number;
  /** Everything that began or ended before this was read. */
  readonly watermarkMs: number;
  readonly patterns: readonly Pattern[];
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
}

export interface TurnOptions {
  readonly leads: boolean;
  /** Hears what was found before anything is decided on it. */
  readonly onPatterns: (patterns: readonly Pattern[]) => void;
}

/** One turn of the loop. Only the process that leads decides; the others follow its decisions. */
export async function turn(rooms: Rooms, options: TurnOptions): Promise<CycleReport> {
  const watermarkMs = await askWatermark(rooms);
  await (options.leads ? observe(rooms, watermarkMs) : rooms.ledger.follow());
  const atMs = rooms.clock.now();
  const patterns = rooms.analyzer.patterns(atMs);
  options.onPatterns(patterns);
  const tasks = new Map(rooms.analyzer.tasks(atMs).map((task) => [task.task, task]));
  const now: Turn = { ...rooms, atMs, watermarkMs, patterns, tasks };
  const verdicts = options.leads ? await verify(now) : [];
  if (options.leads) {
    // What was taken back leaves its file before anything else is proposed in its place.
    await rooms.ruleFiles.refresh();
    await keepFiles(rooms, atMs);
    await propose(now);
    await decide(now);
    await tryOut(now);
    await rooms.applied.judge(rooms, tasks, atMs);
    await study(now);
  }
  const shown = withCauses(patterns, rooms.ledger.state.causes);
  return {
    atMs,
    patterns: shown,
    fixes: [...rooms.ledger.state.fixes.values()],
    verdicts,
    health: rooms.health.health(atMs),
  };
}

/** Asks the model, when everything is decided: a slow one holds up nothing but the next turn. */
async function study({ study, ledger, store, noTrials, patterns }: Turn): Promise<void> {
  if (ledger.state.frozen || noTrials) return;
  await study?.suggestCauses({ ledger, store }, patterns);
}

/** Takes in what happened since the last cycle and notes how far it read: a replay takes the same batches. */
export async function observe({ ledger, store, clock, batches }: Rooms, watermarkMs: number): Promise<void> {
  for (let more = true; more; ) {
    await ledger.follow();
    const { read } = ledger.state;
    const batch = await readBatch(store, read);
    if (batch.records.length === 0) return;
    // A full batch is not all there was: nothing can be bet on before the rest is read.
    const entry: LedgerEntry = {
      kind: 'cycle',
      atMs: clock.now(),
      by: store.writer,
      read: batch.read,
      watermarkMs: batch.more ? 0 : watermarkMs,
    };
    batches.set(entry, batch);
    // When another process took in some of these records meanwhile, nothing is appended and they are read again.
    const appended = await ledger.append((state) => (state.read === read ? [entry] : []));
    more = batch.more || appended.length === 0;
  }
}

/** Writes down what the bets say, and gives the verdicts among it. */
async function verify(now: Turn): Promise<CycleReport['verdicts']> {
  const { ledger, verifier, events, noTrials, atMs, watermarkMs } = now;
  const look = verifier.look(atMs, watermarkMs);
  const entries = await ledger.append((state) => whatFollows(look, state, atMs, noTrials));
  for (const { fixId, why, count } of verifier.takeIgnored()) {
    events.emit({ kind: 'problem', where: 'verify', message: `trial of ${fixId}: ${count} ${IGNORED[why]}` });
  }
  for (const fix of ledger.state.fixes.values()) {
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
  'left-out': 'tasks were not bet on, because too many others have not ended',
} as const;

/** Before which moment everything that living processes wrote can be read. Ask first, read then. */
export async function askWatermark({ store, clock }: Rooms): Promise<number> {
  const living = (await store.writers()).filter(({ alive }) => alive);
  return Math.min(clock.now(), ...living.map(({ watermarkMs }) => watermarkMs));
}

async function propose(now: Turn): Promise<void> {
  const { ledger, fixer, analyzer, patterns, tasks, ruleDrafts, expireAfterMs, atMs } = now;
  const ofHost = patterns.filter((pattern) => !isOwn(pattern));
  if (ruleDrafts) await ruleDrafts.ask(fixer.questions(ofHost, tasks, ledger.state.fixes));
  const seen = new Map(patterns.map((pattern) => [pattern.id, pattern]));
  await ledger.append(({ fixes }) => {
    const entries: LedgerEntry[] = [];
    for (const fix of fixes.values()) {
      const { id: fixId, status, patternId } = fix;
      if (status === 'proposed' && !seen.has(analyzer.resolve(patternId))) {
        const reason = 'its pattern was not seen for a whole window';
        entries.push({ kind: 'fix-moved', atMs, by: AUTO, fixId, to: 'expired', reason });
      } else if (isProposal(fix) && !fix.safe && atMs - fix.proposedMs >= expireAfterMs) {
        const reason = `nobody answered for ${Math.round(expireAfterMs / 86_400_000)} days`;
        entries.push({ kind: 'fix-moved', atMs, by: AUTO, fixId, to: 'expired', reason });
      }
      if (status === 'confirmed' && isBack(fix, seen.get(analyzer.resolve(patternId)))) {
        const reason = 'its pattern had been resolved and came back';
        entries.push({ kind: 'fix-moved', atMs, by: AUTO, fixId, to: 'reopened', reason });
      }
    }
    for (const fix of fixer.propose(ofHost, tasks, fixes, atMs)) {
      entries.push({ kind: 'fix-proposed', atMs, by: AUTO, fix });
    }
    return entries;
  });
}

/** Approves what is safe and asks the gate about the rest. */
async function decide(now: Turn): Promise<void> {
  const { ledger, tasks, autoFix, questions, noTrials, atMs, analyzer, patterns } = now;
  const isSafe = (fix: Fix) => autoFix && fix.safe && fix.forecast.kind === 'testable';
  const reason = 'safe: inside the fixed bounds, and shown or taken back by a trial';
  const seen = new Map(patterns.map((pattern) => [pattern.id, pattern]));
  const whyNow = (fix: Fix) => {
    if (fix.change.kind === 'policy') return isReady(tasks.get(fix.task)) && isSafe(fix) ? reason : undefined;
    const { autoApprove, ruleFiles } = now;
    const pattern = seen.get(analyzer.resolve(fix.patternId));
    return approvesItself(fix, pattern, autoApprove, (file) => ruleFiles.isWritable(file));
  };
  await ledger.append(({ fixes, frozen }) => {
    if (frozen || noTrials) return [];
    return [...fixes.values()].flatMap((fix): LedgerEntry[] => {
      const why = fix.status === 'proposed' ? whyNow(fix) : undefined;
      if (why === undefined) return [];
      return [{ kind: 'fix-moved', atMs, by: AUTO, fixId: fix.id, to: 'approved', reason: why }];
    });
  });
  if (ledger.state.frozen || noTrials) return;
  await questions.ask([...ledger.state.fixes.values()].filter((fix) => isProposal(fix) || isUnproven(fix)));
}

/** Starts the trials of approved fixes, as many as may run side by side. */
async function tryOut({ ledger, patterns, tasks, policies, random, alpha, noTrials, atMs }: Turn): Promise<void> {
  await ledger.append(({ fixes, frozen }) => {
    if (frozen || noTrials) return [];
    const now = new Map(fixes);
    const advised = countAdvised(tasks);
    const entries: LedgerEntry[] = [];
    for (const fix of fixes.values()) {
      const task = tasks.get(fix.task);
      if (fix.status !== 'approved' || !task || reasonToWait(fix, now.values())) continue;
      if (whatItNeeds(fix.change.kind, task, advised) !== undefined) continue;
      const { id: fixId, attempt, unit, change } = fix;
      const model =
        change.scope.model === undefined ? undefined : task.models.find((one) => one.model === change.scope.model);
      const past = model?.rate ?? { value: task.failures / task.outcomes, of: task.outcomes };
      const trial = planTrial({
        fixId,
        scope: change.scope,
        unit,
        ...(fix.atMost && { atMost: fix.atMost }),
        attempt,
        alpha,
        nowMs: atMs,
        tasksPerDay: (task.perDay * past.of) / task.outcomes,
        longestWaitMs:
          change.kind === 'policy'
            ? longestWait(policies.lookup(change.scope, [change]), announcedMs(patterns, fix.patternId))
            : 0,
        past: { tasks: past.of, failures: Math.round(past.value * past.of) },
        seed: Math.floor(random() * 2 ** 31),
      });
      const reason = `every ${unit} in scope is drawn: half run with the fix, half without`;
      entries.push({ kind: 'fix-moved', atMs, by: AUTO, fixId, to: 'trial', reason, trial });
      now.set(fixId, { ...fix, status: 'trial' });
    }
    return entries;
  });
}

/** The waits that the other side asked for, as far as the failures kept as examples say. */
function announcedMs(patterns: readonly Pattern[], patternId: string): readonly number[] {
  const examples = patterns.find(({ id }) => id === patternId)?.examples ?? [];
  return examples.flatMap((message) => classifyError(message).retryAfterMs ?? []);
}

/**
 * A resolved pattern came back at half its old rate or more. One failure after a silence is none: a confirmed fix is held
 * back from some tasks, which go on failing now and then.
 */
function isBack({ verdict }: Fix, pattern: Pattern | undefined): boolean {
  const since = pattern?.sinceReturn;
  if (pattern === undefined || since === undefined) return false;
  if (Math.round(since.value * since.of) < MIN_RETURNED) return false;
  const { failures, tasks } = verdict && 'figures' in verdict ? verdict.figures.control : NO_CONTROL;
  return since.low > (tasks > 0 ? failures / tasks : pattern.rate.value) / 2;
}

/** Failures since the return: what recurs, wherever that word is used. */
const MIN_RETURNED = 3;
const NO_CONTROL = { failures: 0, tasks: 0 };

/** A person is needed: the fix is not safe, or it may not be applied without being asked for. */
function isProposal(fix: Fix): boolean {
  return fix.status === 'proposed' && (fix.needs === undefined || fix.change.kind === 'rule');
}

/**
 * Undecided at its deadline, and approved by a person, who now has to say whether to keep it; or put in force without a
 * trial, and now there is a figure to decide by.
 */
function isUnproven({ status, verdict, decision }: Fix): boolean {
  if (verdict?.kind !== 'unproven') return false;
  if (status === 'trial') return true;
  return status === 'kept-unproven' && decision.kind === 'approved' && decision.atMs < verdict.atMs;
}

/** The entries that make what the verifier found come true. */
function whatFollows(
  { verdicts, changes, alarms }: LookReport,
  state: LedgerState,
  atMs: number,
  noTrials: string | undefined,
): readonly LedgerEntry[] {
  const { fixes } = state;
  const move = (fixId: FixId, to: FixStatus, reason: string, more: { trial?: Trial; verdict?: Verdict } = {}) =>
    ({ kind: 'fix-moved', atMs, by: AUTO, fixId, to, reason, ...more }) as const;
  const entries: LedgerEntry[] = [];
  for (const { fixId, verdict, trial } of verdicts) {
    const fix = fixes.get(fixId);
    if (fix?.status !== 'trial') continue;
    const reason = describeVerdict(verdict);
    if (verdict.kind === 'confirmed') {
      entries.push(move(fixId, 'confirmed', reason, { verdict, ...(trial && { trial }) }));
      for (const old of replacedBy(fix, state))
        entries.push(move(old.id, 'superseded', `${fixId} sets the same and is proven`));
    } else if (verdict.kind === 'rejected' || fix.decision.kind !== 'approved' || fix.decision.by === AUTO) {
      entries.push(move(fixId, 'rolled-back', reason, { verdict }));
    } else if (!isUnproven(fix)) {
      // A person wanted it: a person says whether it stays.
      entries.push(move(fixId, 'trial', reason, { verdict }));
    }
  }
  for (const { fixId, trial, reason } of changes) {
    const status = fixes.get(fixId)?.status;
    if (status) entries.push(move(fixId, status, reason, { trial }));
  }
  for (const { fixId, reason } of alarms) entries.push(move(fixId, 'rolled-back', reason));
  if (!noTrials) return entries;
  const moved = new Set(entries.flatMap((entry) => (entry.kind === 'fix-moved' ? [entry.fixId] : [])));
  const running = [...fixes.values()].filter(({ id, status }) => status === 'trial' && !moved.has(id));
  return [...entries, ...running.map(({ id }) => move(id, 'rolled-back', noTrials))];
}

function describeVerdict(verdict: TrialVerdict): string {
  const { fix, control } = verdict.figures;
  const counts = `${fix.failures} of ${fix.tasks} tasks failed with it, ${control.failures} of ${control.tasks} without`;
  switch (verdict.kind) {
    case 'confirmed':
      return `proven to help: ${counts}`;
    case 'rejected':
      return `${REJECTED[verdict.why]}${verdict.guard ? ` (${verdict.guard})` : ''}: ${counts}`;
    case 'unproven':
      return `could not be proven in time: ${counts}`;
    default:
      return verdict satisfies never;
  }
}

const REJECTED = {
  harm: 'does harm',
  'no-effect': 'has no useful effect',
  guard: 'makes something else worse',
  interference: 'only moves failures from one arm to the other',
} as const;
