import { LoopError } from 'rsi-loop';
import { Problem } from '../../http/http-problem.js';

/** Converts any thrown value into a problem. Internal errors do not reveal details. */
export function requestProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return LoopError.is(error) ? fromLoop(error) : inside();
}

function inside(): Problem {
  return new Problem(500, 'something went wrong in the server, not in the request: its log says more');
}

function fromLoop({ code, message }: LoopError): Problem {
  switch (code) {
    case 'unknown-fix':
      // The loop's own advice is for code that holds a loop.
      return new Problem(404, 'no fix has this id: GET /fixes lists all', { field: 'id' });
    case 'illegal-step':
      return new Problem(409, message, { field: 'id' });
    case 'invalid-input':
      return new Problem(400, message);
    case 'closed':
      return new Problem(503, 'the server is closing: send it again elsewhere or later', { retryAfterS: 5 });
    case 'store-failed':
      return new Problem(503, 'the store cannot keep it safe now: send it again, with the same ids', {
        retryAfterS: 5,
      });
    default:
      return inside();
  }
}
