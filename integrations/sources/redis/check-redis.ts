import type { StoreCheck } from 'rsi-loop/node';
import { RedisConnection, type RedisPlace } from './connection.js';
import { canEvict, type RedisSettings, readSettings } from './redis-settings.js';

/** Advice of a check that needs attention, and its finding. */
type Finding = readonly [found: string, advice?: string];

const LOSES = 'set appendonly yes and appendfsync always in redis.conf, or CONFIG SET both and CONFIG REWRITE';

/**
 * Checks whether a server of Redis or Valkey keeps the entries of a stream: persistence and eviction. Changes nothing.
 * `rsi doctor` prints the result.
 * @throws LoopError `store-failed` if the server does not answer, `invalid-input` for an invalid address or stream.
 */
export async function checkRedis(place: RedisPlace): Promise<readonly StoreCheck[]> {
  const connection = new RedisConnection(place);
  try {
    const settings = await readSettings(connection);
    const at = `Redis at ${connection.server}`;
    return [checkOf('redis', persistence(settings, at)), checkOf('redis memory', memory(settings))];
  } finally {
    await connection.close();
  }
}

function checkOf(name: string, [found, advice]: Finding): StoreCheck {
  return advice === undefined ? { name, ok: true, found } : { name, ok: false, found, advice };
}

function persistence(settings: RedisSettings, at: string): Finding {
  const { appendonly, appendfsync, save, canWrite } = settings;
  if (!canWrite) return [`${at} failed to write to its disk`, 'free space there, and look at the log of the server'];
  if (appendonly === undefined)
    return [`${at} does not show its persistence`, `allow INFO to this user. If unsure, ${LOSES}`];
  if (!appendonly) return withoutLog(save, at);
  switch (appendfsync) {
    case 'always':
      return [`${at}: appendonly yes, appendfsync always: it acknowledges an outcome when it is on disk`];
    case 'everysec':
      return [`${at}: appendonly yes, appendfsync everysec: a crash of its machine can lose the last second`];
    case 'no':
      return [
        `${at}: appendonly yes, appendfsync no: a crash of its machine can lose half a minute`,
        'set appendfsync everysec or always',
      ];
    default:
      return [
        `${at}: appendonly yes; it forbids CONFIG, as managed servers do: look up appendfsync where you configure it`,
      ];
  }
}

function withoutLog(save: string | undefined, at: string): Finding {
  const forbidden = `${at}: appendonly no, and it forbids CONFIG, as managed servers do: a restart can lose entries`;
  if (save === undefined) return [forbidden, 'turn on append-only persistence where you configure the server'];
  if (save === '') return [`${at}: appendonly no, save "": a restart loses every entry of the stream`, LOSES];
  return [`${at}: appendonly no, save "${save}": a crash loses all entries since the last snapshot`, LOSES];
}

function memory(settings: RedisSettings): Finding {
  const policy = settings.policy ?? 'unknown';
  if (!canEvict(settings)) return [`entries are not evicted (maxmemory-policy ${policy})`];
  return [
    `the server can evict the stream (maxmemory-policy ${policy})`,
    'set maxmemory-policy to noeviction or volatile-lru',
  ];
}
