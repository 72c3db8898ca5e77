import type { CycleReport } from '../contract/cycle-report.js';
import type { Pattern } from '../contract/pattern.js';
import { Pace, type Steps } from '../lib/yield-to-event-loop.js';
import { whyNoTrials } from '../live/active-fixes.js';
import { settleBrakes } from '../live/brake-fix.js';
import { approveFixes, approveSafe } from './approve-fixes.js';
import { followClock } from './clock-jumps.js';
import type { Components } from './components.js';
import { concludeTrials } from './conclude.js';
import type { CycleContext } from './cycle-context.js';
import { observe, readWatermark } from './observe.js';
import { proposeFixes } from './propose-fixes.js';
import { settleChanges } from './settle-changes.js';
import { startTrials } from './start-trials.js';
import { withCauses } from './suggest-causes.js';

export interface CycleOptions {
  /** Whether this process decides. Others follow its decisions. */
  readonly leads: boolean;
  /** Whether a process that does not lead approves safe fixes that its own options allow. */
  readonly approves?: boolean;
  /** Whether people, models and other writers are asked. */
  readonly asks: boolean;
  /** Receives the patterns before any decision is made. */
  readonly onPatterns: (patterns: readonly Pattern[]) => void;
}

/**
 * Runs one cycle: observe, analyze, verify, fix. State changes only through the ledger: each step appends entries. The
 * engine applies them in this process, in every process that follows, and at every start.
 */
export async function runCycle(components: Components, options: CycleOptions): Promise<CycleReport> {
  const { ledger, clock, health } = components;
  await followClock(components, options.leads);
  await (options.leads ? observe(components, await readWatermark(components)) : ledger.follow());

  const mayDecide = options.leads || options.approves === true;
  const context = await analyze(components, { atMs: clock.now(), mayDecide, asks: options.asks });
  options.onPatterns(context.patterns);

  if (mayDecide) await settleBrakes(components, (id) => components.verifier.figures(id));
  const verdicts = options.leads ? await decide(context) : [];
  if (!options.leads && options.approves && components.autoFix) await approveSafe(context);
  await new Pace(clock).run(health.prepare());
  return {
    atMs: context.atMs,
    patterns: withCauses(context.patterns, ledger.state.causes),
    fixes: [...ledger.state.fixes.values()],
    verdicts,
    health: health.health(context.atMs),
  };
}

/** Builds the patterns from the counts, and the statistics of each task, which only decisions need. */
async function analyze(
  components: Components,
  { atMs, mayDecide, asks }: { readonly atMs: number; readonly mayDecide: boolean; readonly asks: boolean },
): Promise<CycleContext> {
  const { analyzer, clock } = components;
  const pace = new Pace(clock);
  const patterns = await pace.run(analyzer.findPatterns(atMs));
  const tasks = mayDecide ? await pace.run(analyzer.describeTasks(atMs)) : [];
  const noTrials = whyNoTrials(components);
  return {
    ...components,
    ...(noTrials !== undefined && { noTrials }),
    atMs,
    asks,
    patterns,
    seen: new Map(patterns.map((pattern) => [pattern.id, pattern])),
    tasks: new Map(tasks.map((task) => [task.task, task])),
  };
}

/** Makes all decisions of a cycle, in the process that leads, and returns the verdicts. */
async function decide(context: CycleContext): Promise<CycleReport['verdicts']> {
  const { ledger, store, kinds, applied, study, noTrials, patterns, tasks, clock, atMs, asks } = context;
  const verdicts = await concludeTrials(context);
  // A rule that was rolled back leaves its file before a replacement is proposed.
  for (const kind of kinds.all) await kind.refresh?.();
  await settleChanges(context, atMs);
  await new Pace(clock).run(findActors(patterns));
  await proposeFixes(context);
  await approveFixes(context);
  await startTrials(context);
  await applied.assess(context, tasks, atMs);
  // Last, so that a slow model delays only the next cycle.
  if (asks && !ledger.state.frozen && !noTrials) await study?.suggestCauses({ ledger, store }, patterns);
  return verdicts;
}

/** Reads in steps who must act, which proposals ask of every recurring pattern in one turn. */
function* findActors(patterns: readonly Pattern[]): Steps<void> {
  for (const pattern of patterns) {
    if (pattern.recurring) void pattern.actor;
    yield;
  }
}
