import { isRow } from './read-fields.js';

/** Errors of the AI SDK whose message holds the whole answer. */
const HOLD_ANSWERS: ReadonlySet<unknown> = new Set(['AI_JSONParseError', 'AI_TypeValidationError']);
/** Precedes the answer in their messages. */
const ANSWER = /[:.]? ?(?:Text|Value): /;
const MAX_CAUSES = 5;

/**
 * Returns the error without the text of an answer, which the host did not ask to record. Parsers quote the text they
 * fail on, and some SDKs put all of it into the message. Every other error is returned as it is.
 */
export function wordless(error: unknown): unknown {
  if (!holdsWords(error)) return error;
  if (error instanceof SyntaxError) return { name: 'SyntaxError', message: 'the answer is not valid JSON' };
  if (!isRow(error)) return error;
  const message = String(error.message ?? '').split(ANSWER)[0] || 'the answer is not valid JSON';
  return { name: error.name, message };
}

/** Returns whether the error or one of its causes quotes an answer. */
function holdsWords(error: unknown): boolean {
  let one: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && isRow(one); depth++) {
    if (HOLD_ANSWERS.has(one.name)) return true;
    if (one instanceof SyntaxError && one.message.includes('"')) return true;
    one = one.cause;
  }
  return false;
}
