import type { Change, PolicyChange } from './change.js';
import type { Fix, FixOf } from './fix.js';
import type { FixId } from './ids.js';
import type { Issue } from './issue.js';
import type { JsonObject } from './json.js';
import type { LedgerEntry } from './ledger-entry.js';
import type { Pattern } from './pattern.js';
import type { TaskStatistics } from './task-statistics.js';
import type { DeclaredText } from './text.js';
import type { RuleCounters, Trigger, UnitKind } from './trial.js';

/**
 * One kind of change: what to propose, who approves it, what the next task gets, and how it is undone. The engine knows
 * no kind by name. `policy` (settings) and `rule` are built in; `kinds` of `RSILoop` adds others. Methods are pure unless
 * stated otherwise.
 */
export interface ChangeKind<C extends Change = Change> {
  /** Equal to `kind` of its changes. */
  readonly kind: C['kind'];
  /**
   * `loop`: `approval` can approve, and a person is asked only if nothing is missing for a trial. `person` (default): a
   * waiting proposal does not block safe changes of other kinds.
   */
  readonly approvedBy?: 'loop' | 'person';
  /** Returns the changes that may help against a pattern, best first. Called in every cycle for every open pattern. */
  propose(facts: PatternFacts): Iterable<Proposal<C>>;
  /** Returns what a task with this change gets. */
  effect(change: C): TaskEffect;
  /** Returns the content of a change as lessons store it. */
  content(change: C): JsonObject;
  /** Describes a fix for people. */
  describe(fix: FixOf<C>): FixWords;
  /**
   * Returns names of what the change sets. Two changes of this kind conflict if they share a name in overlapping scopes.
   * Default: the keys of `content`.
   */
  sets?(change: C): readonly string[];
  /** Returns whether two contents ask for almost the same. Default: they are equal. */
  isAlike?(one: JsonObject, other: JsonObject): boolean;
  /** Returns the unit that a trial randomises. Default `task`. `task`: its statistics. */
  unit?(change: C, issue: Issue, task?: TaskStatistics): UnitKind;
  /** Returns the step that the host must take before a trial; `undefined` if nothing is missing. */
  needs?(change: C, facts: ReadinessFacts): string | undefined;
  /** Returns why a proposal may go on trial without a person; `undefined` if a person decides. */
  approval?(fix: FixOf<C>, facts: ApprovalFacts): string | undefined;
  /** Returns why a stored change must not be used any more; its fix is then rolled back. */
  problem?(change: C): string | undefined;
  /**
   * Returns whether this process can apply the change. If not, its tasks draw no arm. Default: it can.
   */
  canApply?(change: C): boolean;
  /** Returns the condition for tasks to count in a trial. Default: all tasks in scope count. */
  trigger?(change: C, task: TaskStatistics): Trigger | undefined;
  /** Returns the longest wait of a task under the change, given the waits that providers announced. Default 0. */
  longestWaitMs?(change: C, announcedMs: readonly number[]): number;
  /** Prepares the proposals of a cycle, for example by asking a model. The cycle waits for it. Not called while the loop closes. */
  prepare?(cycle: CycleFacts): Promise<void>;
  /** Returns whether it still prepares a proposal for the pattern. Kinds after this one then propose nothing yet. */
  isPreparing?(pattern: Pattern): boolean;
  /** Returns entries on what the host declares, if the ledger does not have them. Called once per cycle. */
  declare?(known: ReadonlyMap<string, DeclaredText>, atMs: number): readonly LedgerEntry[];
  /** Reads again what `settle` writes to, because people edit it too. Called once per cycle. */
  refresh?(): Promise<void>;
  /** Returns whether `settle` can write this change at all. */
  isWritable?(change: C): boolean;
  /**
   * Writes a change in force to its place outside the loop, or removes it, and returns the ledger entries for that. The
   * leader calls it in every cycle and after a person's decision.
   */
  settle?(fix: FixOf<C>, now: SettleFacts): Promise<readonly LedgerEntry[]>;
  /** Returns details for `explain` that take time to compute. */
  explain?(fix: FixOf<C>, nowMs: number): FixDetails;
  /** Ends work in progress when the loop closes. */
  close?(): void;
}

/** Effect of a change on a task. An absent field means no effect of that sort. */
export interface TaskEffect {
  /** Settings merged into the policy of the task. */
  readonly settings?: PolicyChange;
  /** Instruction for the agent, handed out as advice. */
  readonly advice?: string;
  /** Data handed to the task in `given`, for example the text of a prompt. */
  readonly given?: JsonObject;
}

/** Facts about all patterns of one cycle. */
export interface CycleFacts {
  readonly patterns: readonly Pattern[];
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
  /** Fixes that are not finished. */
  readonly active: Iterable<Fix>;
}

/** Facts for proposing a change for one pattern. */
export interface PatternFacts extends ReadinessFacts {
  readonly pattern: Pattern;
  readonly task: TaskStatistics;
  /** Statistics of all tasks: the same map for every pattern of a cycle. */
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
  /** Open patterns of the same task, highest impact first. */
  readonly ofTask: readonly Pattern[];
}

/** Facts that decide whether a change can be tried on a task. */
export interface ReadinessFacts {
  readonly task: TaskStatistics | undefined;
  /** Session tasks started through the loop, over all task names. Only those can be given advice. */
  readonly advised: number;
  /** Sources of the pattern's outcomes. */
  readonly sources?: readonly string[];
}

export interface ApprovalFacts {
  readonly task: TaskStatistics | undefined;
  /** The pattern of the fix, if it was seen in the window. */
  readonly pattern: Pattern | undefined;
}

/** Possible change for a pattern. */
export interface Proposal<C extends Change = Change> {
  /** Setting or file that it changes. Part of the fix id. */
  readonly target: string;
  readonly change: C;
  /** Whether it may be tried without a person. Default false. */
  readonly safe?: boolean;
  /** Whether host code proposed it. The host gets a report if it has to wait for another fix. Default false. */
  readonly isOwn?: boolean;
  /** Unit that its trial randomises, if the host states it. Default: `unit` of the kind. */
  readonly unit?: UnitKind;
  /** Called only if this change is chosen. */
  readonly details: () => ProposalDetails;
}

/** Fields of the fix that explain a proposal, and the rates for its forecast. */
export interface ProposalDetails
  extends Pick<
    Fix,
    'reason' | 'atMost' | 'evidence' | 'wordedBy' | 'confidence' | 'marks' | 'expectedEffect' | 'contradicts'
  > {
  /** Share of tasks that fail in the way that the change targets. Default: the rate of the pattern. */
  readonly rate?: number;
  /** Share of tasks that fail in any way. Default: `rate`. */
  readonly failing?: number;
}

/** Facts that decide whether a change is written outside the loop. */
export interface SettleFacts {
  readonly atMs: number;
  readonly isInForce: boolean;
  /** False while the loop is frozen: changes stay where they are written, but none is added. */
  readonly mayWrite: boolean;
  /** Returns another fix if it is in force. */
  readonly inForce: (id: FixId) => Fix | undefined;
}

/** Description of a fix in plain words. */
export interface FixWords {
  /** The change. */
  readonly title: string;
  /** State that `rollback` restores. */
  readonly undo: string;
  /** Effect of the change once it is in force. */
  readonly inForce: string;
  /** Effect of a rollback. */
  readonly rolledBack: string;
  /** Effect of an approval, if it does not begin a trial. */
  readonly approved?: string;
}

export interface FixDetails {
  /** Unified diff of writing the change, or of removing it if it is already written. */
  readonly diff?: string;
  /** For a rule that was compared with sessions without it: its effect, decayed to now. */
  readonly counters?: RuleCounters;
}
