import type { RuleFile } from '../contract/change.js';
import { LoopError } from '../contract/errors.js';
import type { Fix } from '../contract/fix.js';
import type { Severity } from '../contract/issue.js';
import type { Pattern } from '../contract/pattern.js';

/** Which rules may go on trial without a person, in words of a template. Stated as data, so that whoever reads it knows what it lets through. */
export interface AutoApproval {
  /** 0 to 1. */
  readonly confidenceAtLeast: number;
  /** Rules for graver failures wait for a person. */
  readonly severityAtMost: Severity;
  /** Files that such a rule may be meant for; one that the workspace does not list is never enough. */
  readonly files: readonly RuleFile[];
  /** Tasks and tools of your program, which such a rule may name. A rule that quotes any other word waits for a person. */
  readonly names?: readonly string[];
}

const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/** @throws LoopError `invalid-input` naming what cannot be used. */
export function readAutoApproval(input: AutoApproval | undefined): AutoApproval | undefined {
  if (input === undefined) return undefined;
  const { confidenceAtLeast, severityAtMost, files, names = [] } = input;
  if (!(confidenceAtLeast >= 0 && confidenceAtLeast <= 1))
    throw wrong('confidenceAtLeast', confidenceAtLeast, '0 to 1');
  if (!SEVERITIES.includes(severityAtMost)) throw wrong('severityAtMost', severityAtMost, SEVERITIES.join(', '));
  if (!Array.isArray(files) || files.some((file) => typeof file !== 'string')) {
    throw wrong('files', files, 'a list of names, such as ["TOOLS"]');
  }
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string')) {
    throw wrong('names', names, 'a list of tasks and tools, such as ["search_docs"]');
  }
  return { confidenceAtLeast, severityAtMost, files: [...files], names: [...names] };
}

/** Templates put words of records between these, and write no other quotation marks. One without an end quotes the rest. */
const QUOTE = /“([^”]*)(?:”|$)/g;

/** Anybody can send a record, and the name in it may be a sentence: only names that the host declared count. */
function quotesOnly(text: string, names: readonly string[]): boolean {
  return [...text.matchAll(QUOTE)].every(([, quote = '']) => names.includes(quote));
}

/** Why a proposed rule goes on trial without a person, in words with the numbers; undefined where a person decides. */
export function approvesItself(
  { change, confidence = 0, contradicts = [], wordedBy }: Fix,
  pattern: Pattern | undefined,
  stated: AutoApproval | undefined,
  isWritable: (file: RuleFile) => boolean,
): string | undefined {
  if (!stated || !pattern || change.kind !== 'rule' || contradicts.length > 0) return undefined;
  // What no check finds in the words of a model or of a record, a person has to.
  if (wordedBy !== undefined || !quotesOnly(change.text, stated.names ?? [])) return undefined;
  if (!stated.files.includes(change.file) || !isWritable(change.file)) return undefined;
  if (confidence < stated.confidenceAtLeast) return undefined;
  if (SEVERITIES.indexOf(pattern.severity) > SEVERITIES.indexOf(stated.severityAtMost)) return undefined;
  return `auto-approval: confidence ${confidence} of at least ${stated.confidenceAtLeast}, severity ${pattern.severity} of at most ${stated.severityAtMost}, for ${change.file}`;
}

function wrong(name: string, value: unknown, expected: string): LoopError {
  return new LoopError('invalid-input', `autoApprove.${name} is ${JSON.stringify(value)}: give ${expected}`);
}
