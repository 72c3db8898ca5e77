import { LoopError } from 'rsi-loop';
import { Problem } from '../../http/http-problem.js';
import type { ProblemView } from '../views.js';

/** Response to a request that failed. `isInternal` if the server's owner should know about it. */
export interface Failure {
  readonly view: ProblemView;
  readonly retryAfterS?: number;
  readonly isInternal: boolean;
}

/** Converts any thrown value into a response. Internal errors do not reveal details. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Problem) {
    const { statusCode: status, message, extra } = error;
    return {
      view: { status, message: sentence(message), ...(status === 401 && { action: 'login' as const }) },
      ...(extra.retryAfterS !== undefined && { retryAfterS: extra.retryAfterS }),
      isInternal: false,
    };
  }
  if (LoopError.is(error)) return fromLoop(error);
  const message = 'Something failed in the server. Its log has the reason. Load the page again, or restart the server.';
  return { view: { status: 500, message }, isInternal: true };
}

function fromLoop({ code, message }: LoopError): Failure {
  switch (code) {
    case 'unknown-fix':
      return seen(404, 'No fix has this id: it may have been erased. Load the page again.', 'reload');
    case 'illegal-step':
      return seen(409, `${sentence(message)} Load the page again to see what is possible now.`, 'reload');
    case 'invalid-input':
      return seen(400, sentence(message));
    case 'closed':
      return { ...seen(503, 'The server is closing. Start it again, then load the page.'), retryAfterS: 5 };
    case 'store-failed':
      return { ...seen(503, sentence(message)), retryAfterS: 5, isInternal: true };
    default:
      return { ...seen(500, sentence(message)), isInternal: true };
  }
}

function seen(status: number, message: string, action?: ProblemView['action']): Failure {
  return { view: { status, message, ...(action !== undefined && { action }) }, isInternal: false };
}

/** Formats a message of the library for a page: with a capital letter and a full stop. */
function sentence(message: string): string {
  const text = message.slice(0, 1).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
