import { type Clock, LoopError, type RSILoop, reportProblem, type Source, SystemClock } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import { RedisConnection, type RedisPlace } from './connection.js';
import { StreamGroup } from './stream-group.js';
import { StreamReader } from './stream-reader.js';

/** Options of `redisSource`. */
export type RedisSourceOptions = RedisPlace & {
  /** Name of the consumer group. All processes of one loop use the same. Default `rsi`. */
  readonly group?: string;
  /** Silence of a dead process after which another one reads its entries. Default 30,000 ms. */
  readonly takeOverMs?: number;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
};

/**
 * Creates a source that reads outcomes from a stream of Redis or Valkey: `loop.sources.attach(redisSource({ url }))`.
 * Recorders with a `redisDestination` fill the stream, or programs with `XADD rsi:outcomes * outcome <JSON>`. An entry
 * is deleted only after the store has its outcome on disk. Any number of processes that share a store can read.
 * @throws LoopError `invalid-input` for an invalid address, stream, group or time.
 */
export function redisSource(options: RedisSourceOptions): Source<RSILoop> {
  const { group = 'rsi', takeOverMs = 30_000, clock = new SystemClock(), ...place } = options;
  if (typeof group !== 'string' || group === '') throw new LoopError('invalid-input', 'group is empty: give a name');
  if (!Number.isFinite(takeOverMs) || takeOverMs < 1) {
    throw new LoopError('invalid-input', `takeOverMs is ${showValue(takeOverMs)}: give a number of at least 1`);
  }
  const connection = new RedisConnection(place as RedisPlace); // the other options are taken out above
  return {
    name: 'redis',
    attach: (loop) => {
      const report = (message: string) => reportProblem(loop, 'redis', message);
      const streamGroup = new StreamGroup(connection, group);
      const reader = new StreamReader(loop, streamGroup, { takeOverMs, clock, report });
      const ended = reader.run();
      return async () => {
        reader.stop();
        await ended;
        await connection.close();
      };
    },
  };
}
