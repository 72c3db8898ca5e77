import type { FixId } from './ids.js';
import type { JsonObject } from './json.js';
import type { Scope } from './scope.js';
import type { TextVersion } from './text.js';
import type { UnitKind } from './trial.js';

/** Change of one kind. Every member carries its inverse as data. A `ChangeKind` says what the loop does with it. */
export type Change = PolicyChange | RuleChange | PromptChange | SkillChange | CustomChange;

/** Change of settings for the tasks of a scope. */
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

/** Version of a named text: a system prompt, or the description of a tool or of a parameter. */
export interface PromptChange extends TextVersion {
  readonly kind: 'prompt';
  /** Tasks that get the text. Their outcomes decide whether it helps. */
  readonly scope: Scope;
  /** Name of the text, e.g. `support.system`. */
  readonly name: string;
  /** Author: a person, or the name of a model. */
  readonly by: string;
  /** Versions that it can replace, oldest first: its ancestors. The last one is the version that it was written for. */
  readonly replaces: readonly string[];
  /** Versions that it combines, if it is a crossover. */
  readonly parents?: readonly string[];
  /** Workspace file that holds the text. */
  readonly file?: string;
  /** `session` if its tasks run in sessions, so that a session keeps one version. */
  readonly unit: Exclude<UnitKind, 'block'>;
  /** The version that applies without it. */
  readonly undo: TextVersion;
}

/** Version of a skill, offered to some of the tasks or sessions until it is shown to help. */
export interface SkillChange {
  readonly kind: 'skill';
  /** Tasks that may get the skill. Their outcomes decide whether it helps. */
  readonly scope: Scope;
  /** Name of the skill. */
  readonly name: string;
  /** SHA-256 of its content. */
  readonly hash: string;
  /** Its description, for the person who decides. Untrusted text. */
  readonly description: string;
  /** Access that its code asks for, one entry each; empty if it asks for none. */
  readonly asks: readonly string[];
  /** `session` if its tasks run in sessions, so that a session keeps its skills. */
  readonly unit: Exclude<UnitKind, 'block'>;
  /** Hash of the version that is not offered any more. */
  readonly undo: { readonly withdraw: string };
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
