import { LoopError } from '../errors.js';
import type { Fix, Pattern, RuleFile, Severity } from '../records.js';

/** Which rules may go on trial without a person, in words of a template. Stated as data, so that whoever reads it knows what it lets through. */
export interface AutoApproval {
  /** 0 to 1. */
  readonly confidenceAtLeast: number;
  /** Rules for graver failures wait for a person. */
  readonly severityAtMost: Severity;
  /** Files that such a rule may be meant for; one that the workspace does not list is never enough. */
  readonly files: readonly RuleFile[];
}

const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/** @throws LoopError `invalid-input` naming what cannot be used. */
export function readAutoApproval(input: AutoApproval | undefined): AutoApproval | undefined {
  if (input === undefined) return undefined;
  const { confidenceAtLeast, severityAtMost, files } = input;
  if (!(confidenceAtLeast >= 0 && confidenceAtLeast <= 1))
    throw wrong('confidenceAtLeast', confidenceAtLeast, '0 to 1');
  if (!SEVERITIES.includes(severityAtMost)) throw wrong('severityAtMost', severityAtMost, SEVERITIES.join(', '));
  if (!Array.isArray(files) || files.some((file) => typeof file !== 'string')) {
    throw wrong('files', files, 'a list of names, such as ["TOOLS"]');
  }
  return { confidenceAtLeast, severityAtMost, files: [...files] };
}

/** Why a proposed rule goes on trial without a person, in words with the numbers; undefined where a person decides. */
export function approvesItself(
  { change, confidence = 0, contradicts = [], wordedBy }: Fix,
  pattern: Pattern | undefined,
  stated: AutoApproval | undefined,
  isWritable: (file: RuleFile) => boolean,
): string | undefined {
  if (!stated || !pattern || change.kind !== 'rule' || contradicts.length > 0) return undefined;
  // What no check finds in the words of a model, a person has to.
  if (wordedBy !== undefined) return undefined;
  if (!stated.files.includes(change.file) || !isWritable(change.file)) return undefined;
  if (confidence < stated.confidenceAtLeast) return undefined;
  if (SEVERITIES.indexOf(pattern.severity) > SEVERITIES.indexOf(stated.severityAtMost)) return undefined;
  return `auto-approval: confidence ${confidence} of at least ${stated.confidenceAtLeast}, severity ${pattern.severity} of at most ${stated.severityAtMost}, for ${change.file}`;
}

function wrong(name: string, value: unknown, expected: string): LoopError {
  return new LoopError('invalid-input', `autoApprove.${name} is ${JSON.stringify(value)}: give ${expected}`);
}
