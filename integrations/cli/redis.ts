import { Option } from 'commander';
import { LoopError } from 'rsi-loop';

/** Returns the option that names a server of Redis, or the variable `RSI_REDIS`. */
export function redisOption(description: string): Option {
  return new Option('--redis <url>', description).env('RSI_REDIS');
}

/** Loads the adapter of Redis. @throws LoopError `missing-peer` if the package ioredis is missing. */
export async function loadRedis(): Promise<typeof import('rsi-loop/sources/redis')> {
  await import('ioredis').catch((cause: Error) => {
    throw new LoopError(
      'missing-peer',
      `--redis cannot load the package ioredis (${cause.message}): npm install ioredis`,
    );
  });
  return import('rsi-loop/sources/redis');
}
