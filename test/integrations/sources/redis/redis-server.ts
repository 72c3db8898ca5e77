import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../stores/postgres-server.js';

/** A Redis server on loopback, with its files in a temporary folder. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Kills the server as a crash would. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Starts it again on the same files. */
  start(): Promise<void>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

/** Why the tests of Redis are skipped; undefined if they run. CI never skips them. */
export function whyNoRedis(): string | undefined {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    if (process.env.CI) return undefined;
    return 'there is no Redis server on this machine: install it, e.g. apt-get install redis-server';
  }
}

/** Starts a server that has each acknowledged command on disk, with these settings besides. */
export async function startRedis(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-redis-'));
  const port = await freePort();
  const all = { bind: '127.0.0.1', appendonly: 'yes', appendfsync: 'always', save: '', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  let child: ChildProcess | undefined;

  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  }

  const server: RedisServer = {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill: () => end('SIGKILL'),
    start: async () => {
      child = spawn('redis-server', ['--port', String(port), '--dir', folder, ...args], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const output = child.stdout;
      if (output === null) throw new Error('the server has no output');
      for await (const line of createInterface({ input: output })) {
        if (!line.includes('Ready to accept connections')) continue;
        output.resume();
        return;
      }
      throw new Error('the server did not start');
    },
    stop: async () => {
      await end('SIGKILL');
      // A child that rewrites the append-only file may write on for a moment.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
    },
  };
  await server.start();
  return server;
}
