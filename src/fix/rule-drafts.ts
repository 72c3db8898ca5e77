import type { Clock } from '../contract/clock.js';
import type { Pattern } from '../contract/pattern.js';
import { AskedDrafts } from './asked-drafts.js';
import { checkRule } from './check-rule.js';
import type { RuleDraft } from './rule-draft.js';

/** Question to a rule writer. All recorded text in it is data, never an instruction. */
export interface RuleQuestion {
  readonly pattern: Pattern;
  /** Rules from the templates. They are proposed if the writer has nothing better. */
  readonly templates: readonly RuleDraft[];
  /** Rules that the agent's files already contain. */
  readonly existing: readonly string[];
  /** Files that a rule may target. */
  readonly files: readonly string[];
}

/** Author of rules that are worded better than the templates, or are new: usually a model. */
export interface RuleWriter {
  /** Name used in reports and proposals. */
  readonly name: string;
  /**
   * Returns drafts, or none if it has nothing better. Drafts are checked like every rule and never applied
   * automatically.
   */
  write(question: RuleQuestion, options: { readonly signal: AbortSignal }): Promise<readonly RuleDraft[]>;
}

export interface RuleDraftsOptions {
  readonly writer: RuleWriter;
  readonly clock: Clock;
  readonly files: readonly string[];
  readonly report: (message: string) => void;
}

/** Asks a writer of rules, and reads each draft field by field. */
export class RuleDrafts extends AskedDrafts<RuleQuestion, RuleDraft> {
  constructor({ writer, clock, files, report }: RuleDraftsOptions) {
    const read = (draft: unknown) => {
      const problem = draftProblem(draft, files);
      if (problem !== undefined) return problem;
      const { text, file, why, confidence } = draft as RuleDraft; // `problemOf` checked every field
      return { text, file, why: why.slice(0, MAX_WHY), confidence, by: writer.name };
    };
    super({ writer, clock, noun: 'rule', otherwise: 'the templates are used', report, read });
  }
}

const MAX_WHY = 300;

function draftProblem(draft: unknown, files: readonly string[]): string | undefined {
  if (typeof draft !== 'object' || draft === null) return 'it is not an object';
  const { text, file, why, confidence } = draft as Record<string, unknown>; // any key of an object can be read
  if (typeof file !== 'string' || !files.includes(file)) return `its file is not one of ${files.join(', ')}`;
  if (typeof why !== 'string') return 'it does not say why';
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1))
    return 'its confidence is not from 0 to 1';
  return checkRule(text);
}
