import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { Problem } from '../../http/http-problem.js';
import { chunksOf, readWhole } from '../../http/read-whole.js';
import type { Limits } from './http-options.js';
import { JSON_TYPE, type Route } from './service.js';

/** Body that is read while it arrives. */
export class LineBody {
  readonly chunks: AsyncIterable<Buffer>;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks;
  }
}

interface BodyOptions {
  readonly limits: Limits;
  /** Verifies the signature of a signed request over its body; absent if the request is not signed. */
  readonly verify: ((body: Buffer) => void) | undefined;
}

export const LINE_TYPES: readonly string[] = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];
const NOTHING = Buffer.alloc(0);
const gunzipAtOnce = promisify(gunzip);

/**
 * Reads the body that a route takes: JSON, JSON as text, or lines while they arrive. A signature is verified before any
 * other code reads the body, so signed lines are read as a whole.
 * @throws Problem 400, 401, 413 or 415
 */
export async function readBody(
  request: IncomingMessage,
  { body, takesText, refuses }: Route,
  { limits, verify }: BodyOptions,
): Promise<unknown> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (request.method !== 'POST' || (type === undefined && isEmpty(request))) {
    verify?.(NOTHING);
    return undefined;
  }
  if (refuses?.types.includes(type ?? '')) throw new Problem(415, refuses.detail, { field: 'content-type' });
  if (type !== undefined && LINE_TYPES.includes(type) && body !== undefined && type in body) {
    return readLines(request, { limits, verify });
  }
  if (type !== JSON_TYPE) throw wrongType();
  const sent = await readWhole(request, takesText ? limits.unpackedBytes : limits.bodyBytes, TOO_LARGE);
  verify?.(sent);
  const text = decodedText(isPacked(request) ? await unpack(sent, limits) : sent);
  return takesText ? text : parseJson(text);
}

const TOO_LARGE = 'the body is too large: send smaller requests';

function wrongType(): Problem {
  const advice = 'send application/json, or application/x-ndjson to /observe';
  return new Problem(415, `the body is of a type that is not read here: ${advice}`, { field: 'content-type' });
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

async function readLines(request: IncomingMessage, { limits, verify }: BodyOptions): Promise<LineBody> {
  const packed = isPacked(request);
  if (verify === undefined)
    return new LineBody(packed ? unpacked(request, limits) : bounded(request, limits.streamBytes));
  const tooLong = `signed lines are read as a whole, up to ${limits.bodyBytes} bytes: send smaller requests, or with a token`;
  const sent = await readWhole(request, limits.bodyBytes, tooLong);
  verify(sent);
  return new LineBody(once(packed ? await unpack(sent, limits) : sent));
}

function isPacked({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  if (encoding === 'identity' || encoding === '') return false;
  throw new Problem(415, 'the body is packed in a way that is not read here: send it plain or with gzip', {
    field: 'content-encoding',
  });
}

function decodedText(bytes: Buffer): string {
  if (bytes.length === 0) throw new Problem(400, 'the body is empty: send JSON', { field: '(body)' });
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\ufeff/, '');
  throw new Problem(400, 'the body is not UTF-8', { field: '(body)' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, 'the body is not valid JSON', { field: '(body)' });
  }
}

async function unpack(sent: Buffer, { unpackedBytes }: Limits): Promise<Buffer> {
  try {
    return await gunzipAtOnce(sent, { maxOutputLength: unpackedBytes });
  } catch (error) {
    throw unpackProblem(error, unpackedBytes);
  }
}

async function* unpacked(request: IncomingMessage, limits: Limits): AsyncGenerator<Buffer> {
  const stream = request.pipe(createGunzip());
  request.once('error', (error) => stream.destroy(error));
  request.once('close', () => {
    if (!request.readableEnded) stream.destroy(new Error('the body ended early'));
  });
  try {
    yield* bounded(stream, limits.streamBytes);
  } catch (error) {
    throw error instanceof Problem ? error : unpackProblem(error, limits.streamBytes);
  } finally {
    stream.destroy();
  }
}

function unpackProblem(error: unknown, maxBytes: number): Problem {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
    return new Problem(413, `the body unpacks to more than ${maxBytes} bytes: send smaller requests`, {
      field: '(body)',
    });
  }
  return new Problem(400, 'the body cannot be unpacked: it is not gzip, or it is truncated', {
    field: 'content-encoding',
  });
}

async function* bounded(body: AsyncIterable<unknown>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunksOf(body)) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new Problem(413, `the stream is longer than ${maxBytes} bytes: send several`, { field: '(body)' });
    yield chunk;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
