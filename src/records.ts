/** What travels through the loop. Plain readonly JSON: every record can be stored, shown and replayed. */

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

/** Unique across processes; sorts by the time it was made. */
export type OutcomeId = Brand<'OutcomeId'>;
/** Pattern id + kind of change + target; never the tuned values. */
export type FixId = Brand<'FixId'>;

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** What an error text, code or status can be classified as. `unknown` is an answer. */
export const ERROR_CATEGORIES = [
  'rate_limit',
  'quota_exceeded',
  'overloaded',
  'timeout',
  'network',
  'auth',
  'permission',
  'model_not_found',
  'not_found',
  'context_length',
  'empty_response',
  'parse_error',
  'validation',
  'content_filter',
  'tool_failure',
  'resource_exhausted',
  'cancelled',
  'server_error',
  'unknown',
] as const;
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

/** Issues that callers and detectors name; no error text says them. Any other string is allowed too. */
export type NamedIssue =
  | 'context_loss'
  | 'session_reset'
  | 'compaction_lost_context'
  | 'memory_miss'
  | 'hydration_fail'
  | 'model_fallback'
  | 'wrong_model_tier'
  | 'bad_routing'
  | 'cost_overrun'
  | 'slow_response'
  | 'wrong_output'
  | 'incomplete_task'
  | 'missing_tool'
  | 'over_confirmation'
  | 'repeated_mistake'
  | 'skill_gap'
  | 'wal_miss'
  | 'loop';

/** The class of what went wrong: what, not why. */
export type Issue = ErrorCategory | NamedIssue | (string & {});

export type Severity = 'low' | 'medium' | 'high' | 'critical';

export interface TokenUse {
  /** All tokens read, those from a cache included. */
  readonly input: number;
  readonly output: number;
  /** Part of `input` that was read from a cache, which providers sell at about a tenth of the price. */
  readonly cachedInput?: number;
}

export interface OutcomeError {
  /** Redacted and cut. */
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
  /** HTTP status, 100 to 599. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** One try inside a task that `loop.run` executed. */
export interface Attempt {
  /** Wait before this attempt began. */
  readonly delayMs: number;
  readonly durationMs: number;
  readonly success: boolean;
  readonly model?: string;
  /** What went wrong; only on failures. */
  readonly issue?: Issue;
}

/** How a task ended. One task is one outcome, whatever it took. */
export interface Outcome {
  readonly id: OutcomeId;
  readonly task: string;
  readonly success: boolean;
  /** Epoch milliseconds of the end. */
  readonly atMs: number;
  /** Where it came from, e.g. `claude-code`. Default `generic`. */
  readonly source: string;
  readonly session?: string;
  /** This was the last task of its session. */
  readonly endsSession?: boolean;
  readonly agent?: string;
  /** Id of the enclosing task. Children stay out of the parent's rates and health. */
  readonly parent?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly durationMs?: number;
  readonly tokens?: TokenUse;
  readonly costUsd?: number;
  /** 1 (useless) to 5 (perfect). Never defaulted. */
  readonly quality?: number;
  readonly error?: OutcomeError;
  /** Classified from the error, plus what the caller named. Empty on a clean success. */
  readonly issues: readonly Issue[];
  /** A pure function of the error message: the same on every machine. */
  readonly fingerprint?: string;
  readonly attempts?: readonly Attempt[];
  readonly expected?: string;
  readonly actual?: string;
  readonly severity?: Severity;
  readonly context?: JsonObject;
  readonly tags?: readonly string[];
  /** The task was begun through the loop, so it read its policy. */
  readonly managed?: boolean;
  /** The host said that the task may run again after a failure, or that it may not; absent where it said nothing. */
  readonly repeatable?: boolean;
  /** The models that the caller listed, best first; absent where there was only one. */
  readonly models?: readonly string[];
  /** How many outcomes this one stands for when others were sampled out. Default 1. */
  readonly weight?: number;
}

/** What is known of a task before it starts; a fix applies where every field it names is equal. */
export interface Scope {
  readonly task?: string;
  /** The model asked for first, not the one that answered. */
  readonly model?: string;
  readonly tool?: string;
  readonly source?: string;
  readonly agent?: string;
  /** Tasks that it leaves out: those in one of these. */
  readonly except?: readonly Scope[];
}

export type Arm = 'fix' | 'control';

/** Which side of a trial a unit was given, and with which probability it would have been the fix. */
export interface ArmAssignment {
  readonly fixId: FixId;
  /** The unit of randomisation: the task's own id, a block's or a session's. */
  readonly unit: string;
  readonly arm: Arm;
  /** Probability of the fix arm at the time of the draw, 0 to 1. */
  readonly share: number;
}

/** The record that a task began; written before the work whenever a trial is running for it. */
export interface Start {
  /** The id its Outcome will carry. */
  readonly id: OutcomeId;
  readonly task: string;
  readonly atMs: number;
  /** Epoch milliseconds; a task that has not ended by then failed in the arm it was given. */
  readonly deadlineMs: number;
  readonly scope: Scope;
  readonly arms: readonly ArmAssignment[];
  readonly session?: string;
  /** With `counter`, the order among starts of one millisecond. */
  readonly writer: string;
  readonly counter: number;
}

/** A line of the journal, the high-volume log. */
export type JournalRecord =
  | { readonly kind: 'start'; readonly start: Start }
  | { readonly kind: 'outcome'; readonly outcome: Outcome };

/** A rate with its 95 % interval and the number of trials behind it. */
export interface Rate {
  /** 0 to 1. */
  readonly value: number;
  /**
   * Of the rate over a longer time, as wide as the hours of the window differ. `low` is 0 and `high` is 1 while less than
   * three days, or half a window, are known.
   */
  readonly low: number;
  readonly high: number;
  readonly of: number;
}

export type PatternKind = 'failure' | 'slow' | 'costly' | 'low-quality';
export type Trend = 'new' | 'rising' | 'steady' | 'falling' | 'resolved' | 'returned';

/**
 * Where failures happen: everywhere, or in a list of at most three places that explain them, the one with most failures
 * first. A place is one value per dimension, e.g. `{ model: 'haiku', tool: 'search' }`.
 */
export type Where = 'global' | readonly Readonly<Record<string, string>>[];

export type RootCause =
  | 'reasoning_error'
  | 'knowledge_gap'
  | 'tool_failure'
  | 'instruction_ambiguity'
  | 'context_loss'
  | 'overconfidence'
  | 'undetermined';

export interface RootCauseFinding {
  readonly cause: RootCause;
  /** 0 to 1. */
  readonly confidence: number;
  /** What carries it, in words a person can check. */
  readonly evidence: readonly string[];
  /** The model that said so, where the rules left it undetermined; a suggestion, on which nothing is decided. */
  readonly by?: string;
}

/** Another pattern that occurs together with this one more often than chance explains. */
export interface RelatedPattern {
  readonly patternId: string;
  /** Observed over expected co-occurrence, shrunk for small counts. */
  readonly lift: number;
  /** Benjamini-Hochberg adjusted over all pairs looked at. */
  readonly q: number;
  /** How long the other one comes after this one; negative when it comes before. */
  readonly lagMs: number;
  /** The field's name for the compound cause, where it has one. */
  readonly name?: string;
}

/** What orders patterns, with its parts shown. */
export interface Impact {
  /** Failed tasks in the window, weighted by severity, lost quality, time and money where known. */
  readonly score: number;
  readonly failures: number;
  readonly lostMs: number;
  readonly lostUsd: number;
}

/** What was expected of a task, and what it gave instead. Recorded text: quoted for people only. */
export interface Difference {
  readonly expected?: string;
  readonly actual: string;
}

/** Failures that belong together, with evidence. Healthy outcomes are the denominator, never a pattern. */
export interface Pattern {
  /** Never changes. */
  readonly id: string;
  readonly kind: PatternKind;
  readonly task: string;
  readonly issue: Issue;
  /** The message with its variable parts as `<*>`; a sentence for kinds without a message. */
  readonly template: string;
  /** Occurrences in the window. */
  readonly count: number;
  readonly episodes: number;
  readonly rate: Rate;
  readonly trend: Trend;
  /** Of the time since it came back; only with the trend `returned`. */
  readonly sinceReturn?: Pick<Rate, 'value' | 'of'>;
  /** At least `recurrenceThreshold` times in the window. */
  readonly recurring: boolean;
  readonly impact: Impact;
  readonly severity: Severity;
  readonly where: Where;
  readonly related: readonly RelatedPattern[];
  readonly rootCause: RootCauseFinding;
  readonly sources: readonly string[];
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** Up to 3 messages, redacted. */
  readonly examples: readonly string[];
  /** Up to 3 different results, redacted: what was expected, and what came instead. Only where callers say so. */
  readonly differences?: readonly Difference[];
  readonly evidence: readonly OutcomeId[];
}

/** What one task could do better, seen from its own successes and failures. Feeds the catalog. */
export interface TaskStatistics {
  readonly task: string;
  readonly outcomes: number;
  readonly failures: number;
  /** Failures that list their attempts, as those of `loop.run` do. */
  readonly attempted: number;
  /** Outcomes of tasks begun through the loop: only these can be given a changed policy. */
  readonly managed: number;
  /** Outcomes of calls that were only watched (captured): no setting ever reaches them. */
  readonly captured: number;
  /** Outcomes of tasks that may run again after a failure, and of tasks that may not, as their host said. */
  readonly repeatable: number;
  readonly unrepeatable: number;
  /** Outcomes that belong to a session: only these can tell what a rule does. */
  readonly inSessions: number;
  /** Those of them that were begun through the loop, which hands out the rules of their session. */
  readonly advised: number;
  /** Per day, over the window. */
  readonly perDay: number;
  /** Days of the window since the first outcome; what is said per day below one day is a guess. */
  readonly observedDays: number;
  /** Quantiles of the duration of successes; absent below 20 of them. */
  readonly successMs?: { readonly p50: number; readonly p90: number; readonly p99: number };
  /** Median duration of the tasks that ended in a time-out; absent where none did. */
  readonly timedOutMs?: number;
  readonly models: readonly ModelStatistics[];
  /** What successes took and cost before the present seventh of the window, where enough of them are known. */
  readonly usual?: { readonly p90Ms?: number; readonly p90Usd?: number };
}

/** A task that took or cost more than this counts as failed in a trial: in both arms, and frozen when it starts. */
export interface AtMost {
  readonly durationMs?: number;
  readonly costUsd?: number;
}

export interface ModelStatistics {
  readonly model: string;
  /** Failed calls of this model, counted over the attempts of tasks. */
  readonly rate: Rate;
  /** Failed tasks among those whose caller wanted this model, by naming it or listing it first, whichever answered. */
  readonly wanted: Rate;
  /** The newest of them: at least 50 where there are so many. */
  readonly wantedLately: Pick<Rate, 'value' | 'of'>;
  /** Models that these callers listed besides, in their order. */
  readonly listedBeside: readonly string[];
}

/** What would be different. Every member carries its inverse as data. */
export type Change = PolicyChange | RuleChange;

export interface PolicyChange {
  readonly kind: 'policy';
  readonly scope: Scope;
  /** Names and values as in `policy.ts`. */
  readonly set: JsonObject;
  /** The settings to go back to; `null` where nothing was set. */
  readonly undo: JsonObject;
}

/** Which of the agent's own files a rule belongs in: persona and hard rules, behaviour, tool use, or one that you named. */
export type RuleFile = 'SOUL' | 'AGENTS' | 'TOOLS' | (string & {});

/** One behavioural rule for the agent: handed to sessions as advice, and written into its file once it is in force. */
export interface RuleChange {
  readonly kind: 'rule';
  /** Tasks whose sessions are given the rule, and by whose ends it is judged. */
  readonly scope: Scope;
  /** One imperative sentence, at most 300 characters. */
  readonly text: string;
  readonly file: RuleFile;
  /** Taking the rule out of its file again, which leaves every other byte as it is. */
  readonly undo: { readonly removeRule: FixId };
}

export type FixStatus =
  | 'proposed'
  | 'approved'
  | 'trial'
  | 'confirmed'
  | 'refused'
  | 'rolled-back'
  | 'kept-unproven'
  | 'reopened'
  | 'superseded'
  | 'expired';

export type Decision =
  | { readonly kind: 'approved'; readonly by: string; readonly atMs: number; readonly reason?: string }
  | { readonly kind: 'refused'; readonly by: string; readonly atMs: number; readonly reason: string }
  | { readonly kind: 'waiting'; readonly sinceMs: number };

/** What it takes to show that the fix halves the failure rate, at the current rate and volume. */
export type Forecast =
  /** `days` is absent until a whole day was observed. */
  | { readonly kind: 'testable'; readonly tasks: number; readonly days?: number }
  | { readonly kind: 'not-testable'; readonly reason: string };

/** A change proposed for a pattern. */
export interface Fix {
  readonly id: FixId;
  readonly patternId: string;
  readonly task: string;
  readonly issue: Issue;
  /** What it changes, e.g. `retries.network` for `api_call`, or `AGENTS` for a rule in that file. */
  readonly target: string;
  readonly change: Change;
  /** What a trial of it has to randomise. */
  readonly unit: UnitKind;
  /** For fixes of slow or costly tasks: what a trial of it counts as failed besides failures. */
  readonly atMost?: AtMost;
  readonly status: FixStatus;
  /** Inside fixed bounds and chosen from numbers: may be applied without a person. */
  readonly safe: boolean;
  /** Why this change, in one sentence with the numbers it was chosen from. */
  readonly reason: string;
  /** For rules: some of the outcomes it was proposed for. */
  readonly evidence?: readonly OutcomeId[];
  /** For rules: the model whose words it has; absent where a template gave them. */
  readonly wordedBy?: string;
  /** For rules: how sure the proposal is that this is the cause and the remedy, 0 to 1. */
  readonly confidence?: number;
  /** For rules: what should be seen when it helps, in one sentence. */
  readonly expectedEffect?: string;
  /** For rules: rules of its file that seem to ask for the opposite, in their own words. */
  readonly contradicts?: readonly string[];
  /** For rules: where it stands in a file of the agent's now. */
  readonly written?: { readonly path: string; readonly atMs: number };
  readonly forecast: Forecast;
  /** What the host has to do before this fix can be tried. */
  readonly needs?: string;
  /** 1 for the first trial on these failures; attempt j is tested at alpha / (j (j + 1)) at most. */
  readonly attempt: number;
  readonly proposedMs: number;
  readonly changedMs: number;
  readonly decision: Decision;
  readonly trial?: Trial;
  readonly verdict?: Verdict;
}

export type UnitKind = 'task' | 'block' | 'session';

/** The randomised comparison of fix and control. Frozen when it starts, except for the share. */
export interface Trial {
  readonly fixId: FixId;
  readonly unit: UnitKind;
  readonly scope: Scope;
  /** `running`, then `ramp` for shared resources, then `hold-back` once confirmed. */
  readonly phase: 'running' | 'ramp' | 'hold-back';
  /** When the phase began. */
  readonly phaseSinceMs: number;
  /** Probability of the fix arm, 0 to 1; in a ramp the upper of the two shares that are drawn. */
  readonly share: number;
  /** Length of a block, the same for every process; with unit `block` only. */
  readonly blockMs?: number;
  /** The level at which it is tested: its capital must reach 1 / alpha. */
  readonly alpha: number;
  /** Which part of the failures in scope the fix is for, above 0 to 1, before the trial. Default 1. */
  readonly aim?: number;
  /** Only tasks that meet it are bet on; absent where the fix may act on all of them. */
  readonly trigger?: Trigger;
  /** Its number among all trials that the loop ever opened, the fixes confirmed before, and the attempt on its failures. */
  readonly place?: { readonly trial: number; readonly confirmed: number; readonly attempt: number };
  readonly openedMs: number;
  readonly deadlineMs: number;
  /** Seed of the draw: the same unit gets the same arm in every process. */
  readonly seed: number;
  /** Ends of the same scope before the trial, which give the running guess of the control rate its start. */
  readonly past: { readonly tasks: number; readonly failures: number };
  readonly atMost?: AtMost;
}

/** What the first attempt of a task came to before a fix can act on the task: it failed so, or took at least so long. */
export interface Trigger {
  readonly failedWith: readonly Issue[];
  readonly tookMs?: number;
}

/**
 * What a rule did, in failed tasks. What it did 90 days ago counts half, for the agent is another one by then.
 */
export interface RuleCounters {
  /** How many fewer failed than without it at the same time, over the sessions that went better with it. */
  readonly helpful: number;
  /** How many more, over the sessions that went worse. A rule that does nothing has about as much of both. */
  readonly harmful: number;
  /** As of when; what was counted longest ago counts least. */
  readonly atMs: number;
}

export interface ArmFigures {
  readonly units: number;
  readonly tasks: number;
  readonly failures: number;
}

/** Where the bet stands. `K` values are capital that started at 1. */
export interface TrialFigures {
  /** What was bet on: with a trigger only the tasks that met it. */
  readonly fix: ArmFigures;
  readonly control: ArmFigures;
  /** With a trigger: all tasks in scope, whether or not they met it. */
  readonly inScope?: { readonly fix: ArmFigures; readonly control: ArmFigures };
  /** Failure rate of the fix arm over that of control, 0 to 10 (or more), with the interval the bet does not reject. */
  readonly effect: { readonly value: number; readonly low: number; readonly high: number };
  readonly eHelp: number;
  readonly eHarm: number;
  readonly eNone: number;
  /** What the capital must reach: 1 / alpha of the attempt. */
  readonly needed: number;
  readonly guards: readonly GuardFigures[];
  /** Capital of the bet that failures rise with the share; from the ramp on. */
  readonly eInterference?: number;
  /** Capital of the harm alarm, which rings at 10,000; from the ramp on. */
  readonly eAlarm?: number;
  /**
   * The same comparison over the tasks since the confirmation alone. The effect at the confirmation is on average too
   * good, as a fix is confirmed when it was lucky; this one is not.
   */
  readonly afterwards?: Pick<TrialFigures, 'fix' | 'control' | 'effect'>;
  /** What a task in the fix arm takes longer and costs more on average than one in control; only where known. */
  readonly extraMs?: number;
  readonly extraUsd?: number;
  /** For rules: also of the sessions since the verdict, as long as some are held back from it. */
  readonly counters?: RuleCounters;
}

export type GuardName = 'duration' | 'tokens' | 'cost' | 'quality' | 'other-tasks';

export interface GuardFigures {
  readonly guard: GuardName;
  readonly eHarm: number;
  readonly needed: number;
}

export type Verdict =
  | { readonly kind: 'confirmed'; readonly atMs: number; readonly figures: TrialFigures }
  | {
      readonly kind: 'rejected';
      readonly why: 'harm' | 'no-effect' | 'guard' | 'interference';
      /** Which guard fired. */
      readonly guard?: GuardName;
      readonly atMs: number;
      readonly figures: TrialFigures;
    }
  | {
      readonly kind: 'unproven';
      readonly why: 'deadline' | 'enough-failures-seen';
      readonly atMs: number;
      readonly figures: TrialFigures;
    }
  | {
      readonly kind: 'unproven';
      /** It was put in force for everybody at once: there is nothing to compare it with but the past. */
      readonly why: 'not-randomised';
      readonly atMs: number;
      readonly placebo: Placebo;
    };

/** A verdict of a randomised trial. */
export type TrialVerdict = Extract<Verdict, { figures: TrialFigures }>;

/** How far failures fell after a change, beside how far they fell by themselves at comparable moments before it. */
export interface Placebo {
  /** Failure rate after the change over that before it; undefined where one of them is not known. */
  readonly observed?: number;
  /** The same at comparable moments at which nothing was changed: their quarter, middle and three quarters. */
  readonly byItself?: { readonly low: number; readonly middle: number; readonly high: number };
  readonly moments: number;
  /** Share of those moments at which failures fell at least as far by themselves; 1 where there were none. */
  readonly asFarByItself: number;
}

/** What experience keeps of a verdict. */
export interface Lesson {
  readonly fixId: FixId;
  readonly patternId: string;
  readonly task: string;
  readonly issue: Issue;
  readonly target: string;
  /** What was set; of a rule `{ rule: text }`. */
  readonly set: JsonObject;
  /** `stopped-helping`: it was confirmed before and taken back automatically. `taken-back`: by a person. */
  readonly result: 'helped' | 'harmed' | 'no-effect' | 'unproven' | 'refused' | 'taken-back' | 'stopped-helping';
  readonly reason: string;
  readonly atMs: number;
  readonly attempt: number;
}

/** A person's answer to the question whether a task may run again after a failure. */
export interface RepeatAnswer {
  readonly mayRepeat: boolean;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

/** One line of the ledger, the log of decisions that is kept for ever. */
export type LedgerEntry =
  | {
      readonly kind: 'cycle';
      readonly atMs: number;
      readonly by: string;
      /** How far each writer of the journal was read when state advanced. */
      readonly read: Readonly<Record<string, number>>;
      /** Everything that began or ended before this was read: how far the trials could bet. */
      readonly watermarkMs: number;
    }
  | { readonly kind: 'fix-proposed'; readonly atMs: number; readonly by: string; readonly fix: Fix }
  | {
      readonly kind: 'fix-moved';
      readonly atMs: number;
      readonly by: string;
      readonly fixId: FixId;
      readonly to: FixStatus;
      readonly reason: string;
      /** With `trial`: how it is tested. With a hold-back: its new share. */
      readonly trial?: Trial;
      readonly verdict?: Verdict;
    }
  /** A rule in force now stands in its file, or one taken back no longer does. */
  | {
      readonly kind: 'rule-written' | 'rule-removed';
      readonly atMs: number;
      readonly by: string;
      readonly fixId: FixId;
      readonly path: string;
    }
  /** What a model thinks of a pattern that the rules leave undetermined. It is shown, and nothing is decided on it. */
  | {
      readonly kind: 'cause-suggested';
      readonly atMs: number;
      readonly by: string;
      readonly patternId: string;
      /** How often the pattern had been seen then; it is asked about again at twice as many. */
      readonly count: number;
      readonly finding: RootCauseFinding;
    }
  | {
      readonly kind: 'marked';
      readonly atMs: number;
      readonly by: string;
      readonly what: string;
      readonly label: string;
    }
  | ({ readonly kind: 'repeat-answered'; readonly task: string } & RepeatAnswer)
  /** Records were erased: every state that was made before this entry may hold parts of them. It names none of them. */
  | {
      readonly kind: 'erased';
      readonly atMs: number;
      readonly by: string;
      /** The fields of the filter. */
      readonly fields: readonly string[];
      readonly records: number;
      /** Hashes of the ids of those outcomes: a record with such an id is not taken in again. */
      readonly ids?: readonly string[];
      /** Entries in which words were replaced, and what each line hashes to since; the chain goes on with the old hashes. */
      readonly changed: readonly { readonly position: number; readonly hash: string }[];
    }
  | { readonly kind: 'frozen'; readonly atMs: number; readonly by: string; readonly reason: string }
  | { readonly kind: 'thawed'; readonly atMs: number; readonly by: string; readonly reason: string };

/** Something that changed and may be why health rose or fell. */
export interface Marker {
  readonly atMs: number;
  /** What the host calls it, e.g. `deploy`; by itself come `fix-confirmed`, `fix-kept-unproven`, `fix-rolled-back`, `model`. */
  readonly kind: string;
  readonly label: string;
  readonly by: string;
  /** Only for fixes. */
  readonly fixId?: FixId;
}

export interface HealthScore {
  /** 0 (broken) to 1 (healthy). */
  readonly score: number;
  /** Of the 95 % interval, as wide as the half days before differ. 0 to 1 in the first two days: too short to know. */
  readonly low: number;
  readonly high: number;
  /** False while there is nothing to judge by; the score is 1 then. */
  readonly known: boolean;
}

/** Exponentially recency-weighted share of what went well. */
export interface Health extends HealthScore {
  readonly byTask: Readonly<Record<string, HealthScore>>;
  readonly byModel: Readonly<Record<string, HealthScore>>;
  readonly bySource: Readonly<Record<string, HealthScore>>;
}

/** What happened, told to whoever listens. Names read noun-then-happening. */
export type LoopEvent =
  | { readonly kind: 'pattern-found'; readonly pattern: Pattern }
  | {
      readonly kind: 'burst';
      readonly task: string;
      readonly issue: Issue;
      readonly fingerprint: string;
      readonly count: number;
      readonly atMs: number;
    }
  | { readonly kind: 'fix-proposed'; readonly fix: Fix }
  | { readonly kind: 'fix-approved'; readonly fix: Fix }
  | { readonly kind: 'fix-refused'; readonly fix: Fix }
  | { readonly kind: 'trial-started'; readonly fix: Fix }
  | { readonly kind: 'trial-progressed'; readonly fix: Fix; readonly figures: TrialFigures }
  | { readonly kind: 'verdict'; readonly fix: Fix; readonly verdict: Verdict }
  | { readonly kind: 'fix-rolled-back'; readonly fix: Fix; readonly reason: string }
  | { readonly kind: 'fix-reopened'; readonly fix: Fix }
  | { readonly kind: 'health-below'; readonly health: HealthScore; readonly threshold: number }
  | ({ readonly kind: 'rebuild-progressed' } & RebuildProgress)
  | { readonly kind: 'outcomes-dropped'; readonly count: number; readonly reason: string }
  | { readonly kind: 'problem'; readonly where: string; readonly message: string };

/** How far a loop is that reads stored records again after a start. Done when both numbers are equal. */
export interface RebuildProgress {
  /** Records taken in so far. */
  readonly records: number;
  /** Records to take in; more when other processes go on recording. */
  readonly of: number;
}

/** What one turn of the loop found and did. */
export interface CycleReport {
  readonly atMs: number;
  readonly patterns: readonly Pattern[];
  readonly fixes: readonly Fix[];
  /** Reached in this turn. */
  readonly verdicts: readonly { readonly fixId: FixId; readonly verdict: Verdict }[];
  readonly health: Health;
  /** Why the turn was cut short; only when it was. */
  readonly unfinished?: string;
}
