import type { ErrorRule } from '../classify/classify-error.js';
import type { Clock } from '../contract/clock.js';
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

/** Everything can be left out: the default is one loop in memory that tries safe fixes by itself. */
export interface RSILoopOptions {
  /** Where records live: a store, or a folder for a `FileStore`. Default: in memory, gone when the process ends. */
  readonly store?: Store | string;
  /** Your settings, over the defaults and under every fix. Names and bounds stand in `SETTINGS`. */
  readonly policy?: Settings;
  /**
   * Whether tasks may run again after a failure: one word for all of them, or one for each task name. Default: a task is
   * repeated only if its call, several `models`, your own `retries.*` or a person's answer say so.
   */
  readonly idempotent?: Idempotent;
  /** Narrower bounds for what fixes may set. */
  readonly bounds?: Bounds;
  /** Settings of your own, called `my.something`, which your function reads from its policy and your fixes may set. */
  readonly ownSettings?: CustomSettings;
  /** Whether safe fixes are tried without asking. Default true. */
  readonly autoFix?: boolean;
  /** Decides on what may not be tried without asking. Default: waits for `approve` or `refuse`. */
  readonly gate?: Gate;
  /** Occurrences within the window that make a failure recurring. Default 3. */
  readonly recurrenceThreshold?: number;
  /** How far back patterns look, in milliseconds. Default 7 days. */
  readonly windowMs?: number;
  /** After this many milliseconds an outcome counts half for health. Default 24 hours. */
  readonly healthHalfLifeMs?: number;
  /** A cycle that finds health below it tells `health-below`; 0 to 1. Default: never. */
  readonly healthThreshold?: number;
  /** Where records without a source come from. Default `generic`. */
  readonly source?: string;
  /** Your own rules for naming errors, asked before those that come with the loop. */
  readonly rules?: readonly ErrorRule[];
  /** Share of tasks a confirmed fix is held back from for good, to notice when it stops helping; 0 to 0.5. Default 0.02. */
  readonly holdBack?: number;
  /**
   * False confirmations allowed per pattern, over all attempts on it: above 0, at most 0.2. Default 0.05. With many
   * patterns at once, divide what you allow over all of them by their number.
   */
  readonly alpha?: number;
  /**
   * Suggests why patterns occur that the rules leave undetermined, and words proposed rules unless there is a
   * `ruleWriter`. What it says is checked, shown with its name, and decides nothing. Default: none is asked.
   */
  readonly model?: Model;
  /** Longest wait for one answer of the model, in milliseconds. Default 30,000. */
  readonly modelTimeoutMs?: number;
  /** The files of the agent that rules in force are written into. Default: rules are only handed out as advice. */
  readonly workspace?: Workspace;
  /**
   * Which file of the workspace each kind of rule belongs in, by name. Default `SOUL`: `SOUL.md`, `AGENTS`: `AGENTS.md`,
   * `TOOLS`: `TOOLS.md`; other names may be added.
   */
  readonly ruleFiles?: Partial<RulePaths>;
  /** Words rules better than the templates do: a model, mostly. What it gives is checked, and waits for a person. */
  readonly ruleWriter?: RuleWriter;
  /** Which proposed rules may go on trial without a person. Default: none. */
  readonly autoApprove?: AutoApproval;
  /** A proposal that nobody answers expires after this many milliseconds. Default 30 days. */
  readonly expireAfterMs?: number;
  readonly clock?: Clock;
  /** Numbers in [0, 1), for arms and waits. Default `Math.random`. */
  readonly random?: Random;
}
