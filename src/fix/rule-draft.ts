import type { RuleFile } from '../contract/change.js';

/** Suggested rule, before it becomes a proposal. */
export interface RuleDraft {
  /** One imperative sentence, checked by `checkRule`. */
  readonly text: string;
  readonly file: RuleFile;
  /** Reason for this rule, in one sentence for a person. */
  readonly why: string;
  /** Confidence of its author that cause and remedy are right, 0 to 1. */
  readonly confidence: number;
  /** Author, e.g. the name of a model. Absent for templates. */
  readonly by?: string;
}
