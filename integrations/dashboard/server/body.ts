import type { IncomingMessage } from 'node:http';
import { Problem } from '../../http/http-problem.js';
import { readWhole } from '../../http/read-whole.js';

/** Maximum size of a body. A decision is a name, an id and a reason. */
const MAX_BYTES = 16_384;

/**
 * Reads a JSON object from the body.
 * @throws Problem 415 for another type, 413 if it is too long, 400 if it is no JSON object.
 */
export async function readObject(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (!/^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Problem(415, 'the body is not JSON: send it as application/json');
  }
  const tooLong = `the body is longer than ${MAX_BYTES} bytes: shorten the reason`;
  return parse((await readWhole(request, MAX_BYTES, tooLong)).toString('utf8'));
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem(400, 'the body is not valid JSON: send one object');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new Problem(400, 'the body is not a JSON object: send one object');
}
