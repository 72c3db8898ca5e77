import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort, giveTo, PASSWORD, type PostgresServer, serverUser } from './postgres-server.js';

/** PgBouncer in front of a server. */
export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

const PROGRAM = '/usr/sbin/pgbouncer';

/** Why the tests of a pooler are skipped; undefined if they run. CI never skips them. */
export function whyNoPooler(): string | undefined {
  if (existsSync(PROGRAM) || process.env.CI) return undefined;
  return 'there is no PgBouncer on this machine: install it, e.g. apt-get install pgbouncer';
}

/** Starts a pooler in this mode, on the given port or on one that is free. */
export async function startPooler(
  server: PostgresServer,
  mode: 'transaction' | 'statement',
  given?: number,
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-pooler-'));
  const port = given ?? (await freePort());
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"admin" "${decodeURIComponent(PASSWORD)}"\n`);
  writeFileSync(
    settings,
    `[databases]
postgres = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 4
`,
  );
  const user = serverUser();
  giveTo(user, [folder, users, settings]);
  const child = spawn(PROGRAM, [settings], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.includes('process up')) break;
  }
  if (!lines.at(-1)?.includes('process up')) throw new Error(`PgBouncer did not start: ${lines.join('\n')}`);
  child.stderr.resume();
  return {
    url: server.address('admin', { port }),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
