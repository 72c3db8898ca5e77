import { STATUS_CODES } from 'node:http';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Error response: `application/problem+json` as defined in RFC 9457. */
export interface ProblemBody {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  /** Description of the failure and of what to do. */
  readonly detail: string;
  /** Field, header or parameter concerned, as it was sent. */
  readonly field?: string;
  readonly errors?: readonly ItemError[];
  /** For a stream that ended early: number of records accepted before; these are durable. */
  readonly accepted?: number;
}

/** Problem with one item of a body. */
export interface ItemError {
  /** Position of the item in the array or among the lines, from 0. */
  readonly index: number;
  readonly field: string;
  /** Shortened and redacted. */
  readonly value: string;
  readonly expected: string;
}

interface ProblemExtra {
  readonly field?: string;
  readonly errors?: readonly ItemError[];
  readonly accepted?: number;
  readonly retryAfterS?: number;
}

/** Error that a route or a check throws to answer with its status. Servers catch it; it never reaches a host. */
export class Problem extends Error {
  readonly statusCode: number;
  readonly extra: ProblemExtra;

  constructor(statusCode: number, detail: string, extra: ProblemExtra = {}) {
    super(detail);
    this.statusCode = statusCode;
    this.extra = extra;
  }

  get body(): ProblemBody {
    const { field, errors, accepted } = this.extra;
    return {
      type: 'about:blank',
      title: STATUS_CODES[this.statusCode] ?? 'Error',
      status: this.statusCode,
      detail: this.message,
      ...(field !== undefined && { field }),
      ...(errors !== undefined && { errors }),
      ...(accepted !== undefined && { accepted }),
    };
  }
}
