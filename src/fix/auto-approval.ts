import type { RuleChange, RuleFile } from '../contract/change.js';
import { LoopError } from '../contract/errors.js';
import type { FixOf } from '../contract/fix.js';
import type { Severity } from '../contract/issue.js';
import type { Pattern } from '../contract/pattern.js';
import { isWithin } from '../lib/must-be.js';
import { showValue } from '../lib/text.js';

/**
 * Criteria for rules that may go on trial without a person. Only rules worded by a template qualify.
 * The criteria are data, so that readers can see exactly what they allow.
 */
export interface AutoApproval {
  /** 0 to 1. */
  readonly confidenceAtLeast: number;
  /** Rules for more severe failures wait for a person. */
  readonly severityAtMost: Severity;
  /** Files that such a rule may target. A file must also be listed by the workspace. */
  readonly files: readonly RuleFile[];
  /** Tasks and tools of your program that such a rule may name. A rule that quotes anything else waits for a person. */
  readonly names?: readonly string[];
}

const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/**
 * Returns a validated copy of the criteria.
 * @throws LoopError `invalid-input` naming the invalid field.
 */
export function readAutoApproval(input: AutoApproval | undefined): AutoApproval | undefined {
  if (input === undefined) return undefined;
  const { confidenceAtLeast, severityAtMost, files, names = [] } = input;
  if (!isWithin(confidenceAtLeast, 0, 1)) throw wrong('confidenceAtLeast', confidenceAtLeast, '0 to 1');
  if (!SEVERITIES.includes(severityAtMost)) throw wrong('severityAtMost', severityAtMost, SEVERITIES.join(', '));
  return {
    confidenceAtLeast,
    severityAtMost,
    files: readNames('files', files, 'names of files, such as ["TOOLS"]'),
    names: readNames('names', names, 'tasks and tools, such as ["search_docs"]'),
  };
}

function readNames(field: string, input: unknown, expected: string): readonly string[] {
  if (!Array.isArray(input)) throw wrong(field, input, `a list of ${expected}`);
  return input.map((name: unknown, index) => {
    if (typeof name !== 'string') throw wrong(`${field}[${index}]`, name, expected);
    return name;
  });
}

/** Templates put recorded text between these quotation marks and use no others. One without an end quotes the rest. */
const QUOTE = /“([^”]*)(?:”|$)/g;

/** Returns whether a text quotes declared names only. Any sender can record a name, and it may be a whole sentence. */
function quotesOnly(text: string, names: readonly string[]): boolean {
  return [...text.matchAll(QUOTE)].every(([, quote = '']) => names.includes(quote));
}

/** Returns why a proposed rule goes on trial without a person, with the numbers; `undefined` if a person decides. */
export function approvesItself(
  { change, confidence = 0, contradicts = [], wordedBy }: FixOf<RuleChange>,
  pattern: Pattern | undefined,
  stated: AutoApproval | undefined,
  isWritable: (file: RuleFile) => boolean,
): string | undefined {
  if (!stated || !pattern || contradicts.length > 0) return undefined;
  // No check can judge text that a model or a record worded, so a person has to.
  if (wordedBy !== undefined || !quotesOnly(change.text, stated.names ?? [])) return undefined;
  if (!stated.files.includes(change.file) || !isWritable(change.file)) return undefined;
  if (confidence < stated.confidenceAtLeast) return undefined;
  if (SEVERITIES.indexOf(pattern.severity) > SEVERITIES.indexOf(stated.severityAtMost)) return undefined;
  return `auto-approval: confidence ${confidence} of at least ${stated.confidenceAtLeast}, severity ${pattern.severity} of at most ${stated.severityAtMost}, for ${change.file}`;
}

function wrong(name: string, value: unknown, expected: string): LoopError {
  return new LoopError('invalid-input', `autoApprove.${name} is ${showValue(value)}: give ${expected}`);
}
