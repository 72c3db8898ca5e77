import type { ErrorCategory } from '../contract/issue.js';
import type { Facts } from './facts.js';

/** Wrapper in which coding agents put the messages of their own tools. */
const WRAPPER = /^\s*(?:Error: )?<tool_use_error>\s*/;

/**
 * Classes of the fixed sentences of coding agents' tools. The same sentence has one class, whether it comes from a
 * transcript, a hook, a line of JSON or a capture.
 */
const SENTENCES: readonly (readonly [ErrorCategory, RegExp])[] = [
  [
    'validation',
    /^(?:File (?:has not|must) (?:yet )?be(?:en)? read|File has been (?:unexpectedly )?modified since|String to replace not found|Found \d+ matches of the string to replace|No changes to make: old_string|No replacement was performed|InputValidationError|File content \(.{1,40}\) exceeds maximum)/,
  ],
  ['not_found', /^(?:(?:File|Path|Directory) does not exist\b|Agent type '[^']{1,80}' not found)/],
  [
    'tool_failure',
    /^(?:maxContentLength size of|Exit code [1-9]\d{0,2}\s*$|(?:TypeError: )?\(0 , [\w.$]{1,60}\) is not a function)/,
  ],
];

/** Returns the class of a sentence of a coding agent's tool; `undefined` for any other error. */
export function classOfToolWords(layers: readonly Facts[]): ErrorCategory | undefined {
  for (const { messages } of layers) {
    const [message] = messages;
    if (message === undefined) continue;
    const text = message.slice(0, 300).replace(WRAPPER, '');
    const found = SENTENCES.find(([, pattern]) => pattern.test(text));
    if (found) return found[0];
  }
  return undefined;
}
