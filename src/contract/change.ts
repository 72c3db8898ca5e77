import type { FixId } from './ids.js';
import type { JsonObject } from './json.js';
import type { Scope } from './scope.js';

/** Change of one kind. Every member carries its inverse as data. A `ChangeKind` says what the loop does with it. */
export type Change = PolicyChange | RuleChange | CustomChange;

export interface PolicyChange {
  readonly kind: 'policy';
  readonly scope: Scope;
  /** Names and values as in `policy.ts`. */
  readonly set: JsonObject;
  /** The settings to restore; `null` for a setting that had no value. */
  readonly undo: JsonObject;
}

/** The agent file a rule belongs in: persona and hard rules, behaviour, tool use, or a kind you named. */
export type RuleFile = 'SOUL' | 'AGENTS' | 'TOOLS' | (string & {});

/** One behavioural rule for the agent. Sessions get it as advice; once in force, it is written into its file. */
export interface RuleChange {
  readonly kind: 'rule';
  /** Tasks whose sessions get the rule. Their outcomes decide whether it helps. */
  readonly scope: Scope;
  /** One imperative sentence, at most 300 characters. */
  readonly text: string;
  readonly file: RuleFile;
  /** Removes the rule from its file and leaves every other byte unchanged. */
  readonly undo: { readonly removeRule: FixId };
}

/** Change of a kind that the host gives to the loop in `kinds`. */
export interface CustomChange {
  readonly kind: `my.${string}`;
  /** Tasks that get the change. Their outcomes decide whether it helps. */
  readonly scope: Scope;
  /** The change itself, read only by its kind. */
  readonly content: JsonObject;
  readonly undo: JsonObject;
}
