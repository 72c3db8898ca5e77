import type { ErrorRule } from '../classify/classify-error.js';
import type { FailedAnswer } from '../classify/failed-answers.js';
import type { ChangeKind } from '../contract/change-kind.js';
import type { Clock } from '../contract/clock.js';
import type { Deployment } from '../contract/deployment.js';
import type { Fix } from '../contract/fix.js';
import type { Gate } from '../contract/gate.js';
import type { Model } from '../contract/model.js';
import type { Bounds, CustomSettings, Settings } from '../contract/settings.js';
import type { Store } from '../contract/store.js';
import type { Workspace } from '../contract/workspace.js';
import type { AutoApproval } from '../fix/auto-approval.js';
import type { RuleWriter } from '../fix/rule-drafts.js';
import type { RulePaths } from '../fix/rule-paths.js';
import type { Random } from '../lib/random.js';
import type { Idempotent } from '../lib/repeat.js';
import type { PromptsOption } from './task-texts.js';

/** Smallest gain worth having; undefined for the default. */
export type SmallestGain = number | Readonly<Record<string, number>> | ((fix: Fix) => number | undefined);

/** Longest wait that a prevented failure is worth, in milliseconds: for all tasks, or by task name. */
export type PriceMs = number | Readonly<Record<string, number>>;

/** Options of a loop. All are optional: the default is one loop in memory that tries safe fixes automatically. */
export interface RSILoopOptions {
  /** Store for records, or a folder for a `FileStore`. Default: in memory, lost when the process ends. */
  readonly store?: Store | string;
  /** Your settings. They override the defaults, and fixes override them. See `SETTINGS` for names and bounds. */
  readonly policy?: Settings;
  /**
   * Whether tasks may run again after a failure: one value for all tasks, or one per task name.
   * Default: a task is repeated only if its call, several `models`, your own `retries.*` or a person's answer allow it.
   */
  readonly idempotent?: Idempotent;
  /** Narrower bounds for the settings that fixes may change. */
  readonly bounds?: Bounds;
  /** Custom settings named `my.something`. Your function reads them from its policy, and fixes may change them. */
  readonly ownSettings?: CustomSettings;
  /** Custom kinds of change beside settings and rules, with names such as `my.prompt`. */
  readonly kinds?: readonly ChangeKind[];
  /**
   * Your named texts, such as system prompts: `namedTexts(...)` of `rsi-loop/prompts`. Tasks get them in `prompts`, and
   * approved versions are tried on them.
   */
  readonly prompts?: PromptsOption;
  /**
   * Whether this process takes part in trials that no person approved. Decides nothing for other processes of the store.
   * Default true.
   */
  readonly autoFix?: boolean;
  /** Decides on fixes that need approval. Default: they wait for `approve` or `reject`. */
  readonly gate?: Gate;
  /** Number of occurrences in the window that make a failure recurring. Default 3. */
  readonly recurrenceThreshold?: number;
  /** Length of the window for patterns, in milliseconds. Default 7 days. */
  readonly windowMs?: number;
  /** Half-life of an outcome's weight in the health score, in milliseconds. Default 24 hours. */
  readonly healthHalfLifeMs?: number;
  /** A cycle emits `health-below` if health is below this; 0 to 1. Default: never. */
  readonly healthThreshold?: number;
  /** Source of records that name none. Default `generic`. */
  readonly source?: string;
  /**
   * Service, version, region and host of this process. Its outcomes carry them, so that patterns, health and fixes name
   * the release and the place. Default: none.
   */
  readonly deployment?: Deployment;
  /**
   * Share of successes that are recorded, 0.001 to 1. Each one counts for those left out, so rates are unbiased.
   * Failures and tasks of a trial are always recorded. Default 1.
   */
  readonly sample?: number;
  /**
   * Kinds of answers that count as successes here although they state a failure, such as `refusal` or `not-ok`. Default:
   * none.
   */
  readonly acceptedAnswers?: readonly FailedAnswer[];
  /** Your own error classification rules, applied before the built-in ones. */
  readonly rules?: readonly ErrorRule[];
  /**
   * Share of tasks that permanently run without a confirmed fix, to notice when it stops helping; 0 to 0.5. Default
   * 0.02.
   */
  readonly holdout?: number;
  /**
   * Probability of a false confirmation allowed per pattern, over all attempts: above 0, at most 0.2. Default 0.05.
   * With many patterns, divide your overall limit by their number.
   */
  readonly alpha?: number;
  /**
   * Longest wait that a prevented failure is worth, in milliseconds: one value for all tasks, or one per task name. All
   * waits that fixes cause in one task together are at most this long, and a fix that costs more waiting per prevented
   * failure is turned off within a second. Default 20,000.
   */
  readonly priceMs?: PriceMs;
  /**
   * Smallest gain worth having, in failures per task: 0.02 is 2 in 100 tasks. One value for all trials, one per task name,
   * or a function of the fix. A trial ends with "no useful effect" once a gain of this size is excluded; smaller values
   * make trials longer. Default: 0.05 or 30 % of the failure rate, the smaller one.
   */
  readonly smallestGain?: SmallestGain;
  /**
   * Suggests causes for patterns that the rules cannot explain. Words proposed rules unless there is a `ruleWriter`.
   * Its answers are checked, shown with the model's name, and decide nothing. Default: none.
   */
  readonly model?: Model;
  /** Maximum time for one answer of the model, in milliseconds. Default 30,000. */
  readonly modelTimeoutMs?: number;
  /** Agent files that rules in force are written into. Default: rules are only returned as advice. */
  readonly workspace?: Workspace;
  /**
   * Workspace file for each kind of rule.
   * Default `SOUL`: `SOUL.md`, `AGENTS`: `AGENTS.md`, `TOOLS`: `TOOLS.md`; you can add other kinds.
   */
  readonly ruleFiles?: Partial<RulePaths>;
  /**
   * Words rules better than the templates do, usually with a model. Its text is checked and needs a person's approval.
   */
  readonly ruleWriter?: RuleWriter;
  /** Which proposed rules may go on trial without approval. Default: none. */
  readonly autoApprove?: AutoApproval;
  /** Time after which an unanswered proposal expires, in milliseconds. Default 30 days. */
  readonly expireAfterMs?: number;
  readonly clock?: Clock;
  /** Source of numbers in [0, 1), for arms and waits. Default `Math.random`. */
  readonly random?: Random;
}
