import type { OutcomeError } from '../contract/outcome.js';
import { MAX_NAME, sanitizeText } from './sanitize.js';

/** Redacts a described error. */
export function sanitizeError({ message, name, code, status, retryAfterMs }: OutcomeError): OutcomeError {
  const kept: { -readonly [Name in keyof OutcomeError]: OutcomeError[Name] } = {
    message: sanitizeText(dropCutToken(message)),
  };
  if (name !== undefined) kept.name = sanitizeText(name, MAX_NAME);
  if (code !== undefined) kept.code = sanitizeText(code, MAX_NAME);
  if (status !== undefined) kept.status = status;
  if (retryAfterMs !== undefined) kept.retryAfterMs = retryAfterMs;
  return kept;
}

/** Drops the word at a cut. It may be half of a secret, too short to be recognised as one. */
function dropCutToken(message: string): string {
  return message.endsWith('…') ? message.replace(/\S{0,200}…$/, '…') : message;
}
