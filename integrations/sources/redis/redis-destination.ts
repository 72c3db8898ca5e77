import { randomBytes } from 'node:crypto';
import { LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import type { Destination, Posted } from 'rsi-loop/record';
import { RedisConnection, type RedisPlace } from './connection.js';

/** Options of a recorder that writes to Redis. */
export type RedisDestinationOptions = RedisPlace & {
  /**
   * Outcomes in the stream at which recorders hold back theirs, until the loop has read some. Default 1,000,000, about
   * 500 MB.
   */
  readonly maxLength?: number;
};

/** Time in which a sender that lost its connection can repeat a batch, in seconds. */
const REMEMBERED_S = 86_400;
const FULL = -1;

/**
 * Adds the lines that the stream does not have yet, in one step. The key of the sender counts its stored lines, so a
 * batch that is sent again after a lost answer is stored once.
 */
const ADD = `local stored = tonumber(redis.call('GET', KEYS[2]) or ARGV[1])
local first = tonumber(ARGV[1])
local last = first + #ARGV - 3
if stored < last then
  if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[2]) then return ${FULL} end
  for line = stored - first + 1, #ARGV - 3 do redis.call('XADD', KEYS[1], '*', 'outcome', ARGV[line + 3]) end
end
redis.call('SET', KEYS[2], last, 'EX', ARGV[3])
return last`;

/**
 * Returns a stream of Redis or Valkey as the destination of a `Recorder`. A `redisSource` on the machine of the loop
 * reads it. Each recorder needs a destination of its own.
 * @throws LoopError `invalid-input` for an invalid address, stream or length.
 */
export function redisDestination({ maxLength = 1_000_000, ...place }: RedisDestinationOptions): Destination {
  if (!Number.isSafeInteger(maxLength) || maxLength < 1) {
    throw new LoopError('invalid-input', `maxLength is ${showValue(maxLength)}: give a whole number of at least 1`);
  }
  const connection = new RedisConnection(place as RedisPlace); // without maxLength, it is one
  const { stream, server } = connection;
  const sender = `{${stream}}:sender:${randomBytes(9).toString('base64url')}`;

  async function deliver(lines: readonly string[], from: number): Promise<Posted> {
    try {
      const stored = await connection.call('EVAL', ADD, 2, stream, sender, from, maxLength, REMEMBERED_S, ...lines);
      if (stored !== FULL) return { kind: 'delivered', refused: 0, reason: '' };
      return { kind: 'failed', reason: `${stream} is full: the loop reads too slowly, or not at all`, retryAfterMs: 0 };
    } catch (error) {
      return { kind: 'failed', reason: error instanceof Error ? error.message : String(error), retryAfterMs: 0 };
    }
  }

  return { name: server, deliver, close: () => connection.close() };
}
