/** `rsi-loop/sources/redis`: outcomes through a stream of Redis or Valkey, for agents that should not reach the store. */
export { checkRedis } from './check-redis.js';
export type { RedisClient, RedisPlace } from './connection.js';
export { type RedisDestinationOptions, redisDestination } from './redis-destination.js';
export { type RedisSourceOptions, redisSource } from './redis-source.js';
