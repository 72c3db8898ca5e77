import { isAscii, isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../http/problem.js';
import type { Announced, Credentials } from './credentials.js';
import type { Limits } from './options.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Signature from the headers, not yet checked against the body. */
    announced?: Announced | undefined;
  }
}

/** Body that is read while it arrives. */
export class LineBody {
  readonly chunks: AsyncIterable<Buffer>;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks;
  }
}

interface BodyOptions {
  readonly limits: Limits;
  readonly credentials: Credentials;
}

const JSON_TYPE = 'application/json';
export const LINE_TYPES = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];
const gunzipAtOnce = promisify(gunzip);

/** Adds a parser for whole JSON bodies, plain or gzip. It checks the signature before any other code reads the body. */
export function addJsonBodies(app: FastifyInstance, { limits, credentials }: BodyOptions): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: limits.bodyBytes } as const;
  app.addContentTypeParser<Buffer>(JSON_TYPE, options, (request, sent, done) => {
    verifyOnce(request, sent, credentials);
    // No promises here: every small request takes this path.
    if (!isPacked(request)) done(null, parseJson(textOf(sent)));
    else
      unpack(sent, limits)
        .then((bytes) => parseJson(textOf(bytes)))
        .then((body) => done(null, body), done);
  });
}

/** Adds a parser like `addJsonBodies` that passes on the text, for a reader that keeps numbers JSON cannot hold. */
export function addTextBodies(app: FastifyInstance, { limits, credentials }: BodyOptions): void {
  app.removeContentTypeParser(JSON_TYPE);
  const options = { parseAs: 'buffer', bodyLimit: limits.unpackedBytes } as const;
  app.addContentTypeParser(JSON_TYPE, options, async (request: FastifyRequest, sent: Buffer) => {
    verifyOnce(request, sent, credentials);
    return textOf(isPacked(request) ? await unpack(sent, limits) : sent);
  });
}

/**
 * Adds a parser that passes lines on as a stream. Signed bodies are buffered first: nothing is recorded before the
 * signature matches.
 */
export function addLineBodies(app: FastifyInstance, { limits, credentials }: BodyOptions): void {
  app.addContentTypeParser(LINE_TYPES, async (request: FastifyRequest, payload: Readable) => {
    const packed = isPacked(request);
    if (request.announced === undefined)
      return new LineBody(packed ? unpacked(payload, limits) : bounded(payload, limits.streamBytes));
    const sent = await gather(payload, limits.bodyBytes);
    verifyOnce(request, sent, credentials);
    return new LineBody(once(packed ? await unpack(sent, limits) : sent));
  });
}

/** Rejects these content types without reading the body and says what to send instead. */
export function refuseBodies(app: FastifyInstance, contentTypes: string[], detail: string): void {
  app.addContentTypeParser(contentTypes, (_request, _payload, done) => {
    done(new Problem(415, detail, { field: 'content-type' }));
  });
}

/** Verifies the signature of a request without a body, which no parser has seen. */
export function verifyEmpty(request: FastifyRequest, credentials: Credentials): void {
  if (request.announced !== undefined) verifyOnce(request, Buffer.alloc(0), credentials);
}

function verifyOnce(request: FastifyRequest, body: Buffer, credentials: Credentials): void {
  const { announced } = request;
  if (announced === undefined) return;
  credentials.verify(announced, body);
  request.announced = undefined;
}

function isPacked({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  if (encoding === 'identity' || encoding === '') return false;
  throw new Problem(415, 'the body is packed in a way that is not read here: send it plain or with gzip', {
    field: 'content-encoding',
  });
}

function textOf(bytes: Buffer): string {
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

async function* unpacked(payload: Readable, limits: Limits): AsyncGenerator<Buffer> {
  const stream = payload.pipe(createGunzip());
  payload.once('error', (error) => stream.destroy(error));
  payload.once('close', () => {
    if (!payload.readableEnded) stream.destroy(new Error('the body ended early'));
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

async function* bounded(payload: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of whole(payload)) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new Problem(413, `the stream is longer than ${maxBytes} bytes: send several`, { field: '(body)' });
    yield chunk;
  }
}

/** Yields the chunks, and throws a problem if the sender disconnects early. */
async function* whole(payload: Readable): AsyncGenerator<Buffer> {
  try {
    yield* payload as AsyncIterable<Buffer>;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && BROKEN_OFF.has(String(error.code)))) throw error;
    throw new Problem(400, 'the body ended early', { field: '(body)' });
  }
}

const BROKEN_OFF: ReadonlySet<string> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

async function gather(payload: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of whole(payload)) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      const detail = `signed lines are read as a whole, up to ${maxBytes} bytes: send smaller requests, or with a token`;
      throw new Problem(413, detail, { field: '(body)' });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
