import type { FixId } from './ids.js';
import type { JsonObject } from './json.js';
import type { Scope } from './scope.js';

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
