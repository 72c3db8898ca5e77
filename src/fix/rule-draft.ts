import type { RuleFile } from '../contract/change.js';

/** A rule somebody thinks would help, before it has become a proposal. */
export interface RuleDraft {
  /** One imperative sentence; goes through `checkRule`. */
  readonly text: string;
  readonly file: RuleFile;
  /** Why this rule, in one sentence for a person. */
  readonly why: string;
  /** How sure its author is that this is the cause and the remedy, 0 to 1. */
  readonly confidence: number;
  /** Who wrote it, e.g. the name of a model. Left out: the templates. */
  readonly by?: string;
}
