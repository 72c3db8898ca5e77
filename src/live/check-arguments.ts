import { LoopError } from '../contract/errors.js';
import { EVENT_KINDS } from '../contract/loop-event.js';
import { nearestName } from '../lib/nearest-name.js';
import { readableFields } from '../lib/readable.js';
import { showValue } from '../lib/text.js';
import { sanitizeName, sanitizeText } from '../observe/sanitize.js';

/** Decision maker and reason; both are stored in the ledger. */
export interface Answer {
  readonly by: string;
  readonly reason?: string;
}

/** Checks that the answer names a decision maker. @throws LoopError `invalid-input` */
export function checkAnswer(verb: string, answer: unknown): Answer {
  const { by, reason } = readableFields(answer);
  if (typeof by !== 'string' || by === '') {
    const call = `loop.${verb}(id, { by: "your name", reason: "..." })`;
    throw new LoopError('invalid-input', `${verb} needs to know who decides: ${call}`);
  }
  if (reason !== undefined && typeof reason !== 'string') {
    throw new LoopError('invalid-input', `reason of ${verb} is ${showValue(reason)}: give a text`);
  }
  // Both are stored in the ledger, so they are redacted and truncated like all other text.
  return reason === undefined ? { by: sanitizeName(by) } : { by: sanitizeName(by), reason: sanitizeText(reason) };
}

/**
 * Checks the arguments of `on`. @throws LoopError `invalid-input` for an unknown event, or a handler that is not a
 * function.
 */
export function checkHandler(kind: unknown, handler: unknown): void {
  if (!EVENT_KINDS.some((known) => known === kind)) {
    const meant = typeof kind === 'string' ? nearestName(kind, EVENT_KINDS) : undefined;
    const advice = meant ? `did you mean ${meant}?` : `use one of ${EVENT_KINDS.join(', ')}`;
    throw new LoopError('invalid-input', `no event is called ${showValue(kind)}: ${advice}`);
  }
  if (typeof handler === 'function') return;
  throw new LoopError('invalid-input', `the handler of ${kind} is ${showValue(handler)}: give a function`);
}
