import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FieldProblem, Issue } from 'rsi-loop';
import { type ItemError, Problem } from '../../http/http-problem.js';
import { senderOf } from '../../http/rate-limit.js';
import type { Ingest, Received } from './ingest.js';
import { LineReader } from './line-reader.js';
import { LINE_TYPES, LineBody } from './read-body.js';
import { requestProblem } from './request-problem.js';
import { LINES, OUTCOMES, RECEIVED } from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

/** Response to a sender of outcomes. */
export interface ReceivedBody {
  readonly id?: string;
  readonly issues?: readonly Issue[];
  readonly duplicate?: true;
  readonly warnings?: readonly (Omit<ItemError, 'index'> & { readonly index?: number })[];
  readonly accepted?: number;
  readonly duplicates?: number;
  readonly refused?: number;
  readonly results?: readonly ReceivedItem[];
  readonly errors?: readonly ItemError[];
}

/** Answer for one sent outcome. */
export interface ReceivedItem {
  readonly index: number;
  readonly id: string;
  readonly issues: readonly Issue[];
  readonly duplicate?: true;
}

/** Maximum number of results listed; further ones are only counted. */
const MAX_RESULTS = 10_000;
const MAX_ERRORS = 100;
/** Number of rejected lines after which a stream is taken for something else. */
const MAX_REFUSED_LINES = 1_000;
const MAX_KEY = 200;

/** Route `POST /observe`: one outcome, several, or one per line. */
export function observeRoute({ ingest, closing, settings }: Service): Route {
  return {
    method: 'POST',
    url: '/observe',
    summary: 'Record outcomes: one, an array, or one per line; answered when they are safe',
    body: { [JSON_TYPE]: OUTCOMES, ...Object.fromEntries(LINE_TYPES.map((type) => [type, LINES])) },
    answers: { status: 201, description: 'The records are safe.', content: { [JSON_TYPE]: RECEIVED } },
    handler: ({ raw, body }) => {
      ingest.mustKeepUp();
      const from = { key: idempotencyKey(raw), sender: senderOf(raw.socket.remoteAddress) };
      if (body instanceof LineBody) {
        return lines(body, ingest, { from, closing, maxLineBytes: settings.limits.bodyBytes });
      }
      if (Array.isArray(body)) return several(body, ingest, from);
      const answer = oneAnswer(ingest.receive(body, from.sender, from.key));
      return ingest.safe().then(() => answer);
    },
  };
}

/**
 * Returns the response for one outcome.
 * @throws Problem if it was not recorded.
 */
export function oneAnswer(received: Received): ReceivedBody {
  switch (received.kind) {
    case 'refused':
      throw refusal(received.problems);
    case 'conflict':
      throw new Problem(409, `something else came under ${JSON.stringify(received.id)} before: give ${UNUSED_ID}`, {
        field: 'id',
      });
    case 'taken':
    case 'known': {
      const { id, issues, problems } = received;
      if (received.kind === 'taken' && problems.length === 0) return { id, issues };
      return {
        id,
        issues,
        ...(received.kind === 'known' && { duplicate: true }),
        ...(problems.length > 0 && { warnings: problems }),
      };
    }
    default:
      return received satisfies never;
  }
}

async function several(items: readonly unknown[], ingest: Ingest, { key, sender }: From) {
  const tally = new Tally();
  for (let index = 0; index < items.length; index++) {
    tally.add(index, ingest.receive(items[index], sender, key === undefined ? undefined : `${key}-${index}`));
  }
  if (tally.taken === 0) throw tally.problem();
  await ingest.safe();
  return tally.body();
}

/** Sender of a request, and the id that its key makes. */
interface From {
  readonly key: string | undefined;
  readonly sender: string;
}

interface LineOptions {
  readonly from: From;
  readonly maxLineBytes: number;
  readonly closing: AbortSignal;
}

/** Reads a stream of lines. If the stream breaks off, recorded lines stay recorded: each line is independent. */
async function lines({ chunks }: LineBody, ingest: Ingest, { from, closing, maxLineBytes }: LineOptions) {
  const tally = new Tally();
  const reader = new LineReader(maxLineBytes, (index, text, reason) => {
    tally.add(index, text === undefined ? unreadable(reason) : receiveLine(text, index, ingest, from));
  });
  try {
    for await (const chunk of chunks) {
      reader.push(chunk);
      if (tally.refused >= MAX_REFUSED_LINES) {
        throw new Problem(400, `${tally.refused} lines hold no outcome: send one JSON object per line`);
      }
      if (ingest.isFull) await ingest.safe();
      if (closing.aborted)
        throw new Problem(503, 'the server is closing: send the rest elsewhere or later', { retryAfterS: 5 });
    }
    reader.end();
  } catch (error) {
    const { statusCode, message, extra } = requestProblem(error);
    await ingest.safe();
    throw new Problem(statusCode, message, { ...extra, accepted: tally.taken, errors: tally.errors });
  }
  if (tally.taken === 0) throw tally.problem();
  await ingest.safe();
  return tally.body();
}

function receiveLine(text: string, index: number, ingest: Ingest, { key, sender }: From): Received {
  let item: unknown;
  try {
    item = JSON.parse(text);
  } catch {
    return unreadable('one JSON object', text);
  }
  return ingest.receive(item, sender, key === undefined ? undefined : `${key}-${index}`);
}

function unreadable(expected: string, text = ''): Received {
  // Unreadable text cannot be redacted reliably, so only its length is shown.
  return { kind: 'refused', problems: [{ field: '(line)', value: `${text.length} characters`, expected }] };
}

/** Counts the results of many outcomes, in bounded memory. */
class Tally {
  taken = 0;
  refused = 0;
  #duplicates = 0;
  readonly #results: ReceivedItem[] = [];
  readonly errors: ItemError[] = [];
  readonly #warnings: ItemError[] = [];

  add(index: number, received: Received): void {
    switch (received.kind) {
      case 'refused':
        this.refused++;
        this.#note(this.errors, index, received.problems);
        return;
      case 'conflict':
        this.refused++;
        this.#note(this.errors, index, [{ field: 'id', value: received.id, expected: UNUSED_ID }]);
        return;
      case 'taken':
      case 'known': {
        const { id, issues } = received;
        this.taken++;
        if (received.kind === 'known') this.#duplicates++;
        if (this.#results.length < MAX_RESULTS) {
          this.#results.push(
            received.kind === 'known' ? { index, id, issues, duplicate: true } : { index, id, issues },
          );
        }
        if (received.problems.length > 0) this.#note(this.#warnings, index, received.problems);
        return;
      }
      default:
        received satisfies never;
    }
  }

  body(): ReceivedBody {
    return {
      accepted: this.taken - this.#duplicates,
      duplicates: this.#duplicates,
      refused: this.refused,
      results: this.#results,
      errors: this.errors,
      ...(this.#warnings.length > 0 && { warnings: this.#warnings }),
    };
  }

  /** Returns the problem to answer with if nothing was recorded. */
  problem(): Problem {
    const [first] = this.errors;
    if (first === undefined)
      return new Problem(400, 'the body holds no outcome: send at least one', { field: '(body)' });
    const isConflict = this.errors.every(({ expected }) => expected === UNUSED_ID);
    const detail = `none of ${this.refused} outcomes was taken; the first: ${first.field}: give ${first.expected}`;
    return new Problem(isConflict ? 409 : 400, detail, { field: first.field, errors: this.errors });
  }

  #note(into: ItemError[], index: number, problems: readonly FieldProblem[]): void {
    for (const problem of problems) if (into.length < MAX_ERRORS) into.push({ index, ...problem });
  }
}

const UNUSED_ID = 'an id under which nothing else came before';

/** Returns the problem that names the fields of a rejected outcome. */
export function refusal(problems: readonly FieldProblem[]): Problem {
  const [first] = problems;
  const detail = problems.map(({ field, expected }) => `${field}: give ${expected}`).join('; ');
  const errors = problems.map((problem) => ({ index: 0, ...problem }));
  return new Problem(400, `not an outcome: ${detail}`, { ...(first && { field: first.field }), errors });
}

/** Returns the outcome id for the header `Idempotency-Key`, whose text can be anything. */
export function idempotencyKey({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY) {
    throw new Problem(400, `the key is empty or longer than ${MAX_KEY} characters`, { field: 'idempotency-key' });
  }
  return `key-${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;
}
