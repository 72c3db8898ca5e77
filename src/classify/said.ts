import type { Issue } from '../contract/issue.js';
import { isSure } from './certainty.js';
import { decideByRules } from './decide.js';
import { readFacts } from './facts.js';
import { defaultReader, matchingOf } from './reader.js';
import { saysServiceFailed } from './service-words.js';

/** Maximum words of a bare report such as `timed out` or `connection reset by peer`. */
const MAX_BARE_WORDS = 4;
/** Marks of a message that a program printed. People hardly ever write them. */
const PRINTED: readonly RegExp[] = [
  /\bE[A-Z]{4,}\b|\b[A-Za-z]+(?:Error|Exception)\b|\b[a-z]+_(?:error|exceeded|limit|not_found|timeout)\b/,
  /^(?:error|fatal|panic|traceback|warning)\b\s*[:[(]|\bline \d+, in \b|\n[ \t]{1,20}at \S{1,200} \(/im,
  /\bHTTP(?:\/\d(?:\.\d)?)? [45]\d\d\b|^\s*[45]\d\d\b|\b(?:status|code|error)[ :=]+[45]\d\d\b|\bexit(?:ed)? (?:with )?(?:code|status) [1-9]/im,
];

/**
 * Returns the issue of a sentence that a person wrote about a failure. The learned words of programs are not used: `the
 * mail to the wrong person` is no rejected login. A sentence has a class only if it describes a failing service, or
 * quotes what a program printed, or is as short as one.
 */
export function issueSaid(text: string): Issue {
  const isQuote = PRINTED.some((mark) => mark.test(text));
  const isBare = text.trim().split(/\s+/).length <= MAX_BARE_WORDS;
  const isService = saysServiceFailed(text);
  if (!isQuote && !isService && !isBare) return 'unknown';
  const row = decideByRules(readFacts(text), matchingOf(defaultReader(), false));
  if (isSure(row) && row !== undefined) return row[4]?.issue ?? row[0];
  return isService ? 'tool_failure' : 'unknown';
}
