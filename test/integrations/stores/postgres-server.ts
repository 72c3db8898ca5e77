import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** A PostgreSQL server on loopback, with a cluster of its own in a temporary folder. */
export interface PostgresServer {
  readonly port: number;
  /** Address of a superuser. */
  readonly url: string;
  /** Returns the address of another role or database. */
  address(role: string, options?: { readonly port?: number; readonly database?: string }): string;
  /** Kills the server as a crash would. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Starts it again on the same cluster. */
  start(): Promise<void>;
  /** Starts another server that follows this one, and that `promote` makes a primary. */
  follower(): Promise<PostgresServer>;
  promote(): Promise<void>;
  /** Stops it and removes the cluster. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Settings of the server, e.g. `{ ssl: 'on' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Lines at the beginning of pg_hba.conf. */
  readonly hba?: string;
  /** Whether the server waits for the disk, as it does outside of tests. Default false. */
  readonly isSafe?: boolean;
  /** Whether to create a certificate for localhost, as `server.crt` and `server.key` of the cluster. */
  readonly tls?: boolean;
}

/** Password of every role in the tests. */
export const PASSWORD = 'p%40ss';

/** Folder of the server's programs: that of POSTGRES_BIN, or one of this machine. Undefined if there is none. */
export function postgresBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.POSTGRES_BIN ? [process.env.POSTGRES_BIN] : []),
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))));
}

/** Why the tests of PostgreSQL are skipped; undefined if they run. CI never skips them. */
export function whyNoPostgres(): string | undefined {
  if (postgresBinaries() !== undefined || process.env.CI) return undefined;
  return 'there is no PostgreSQL server on this machine: install it, e.g. apt-get install postgresql';
}

/** Creates a cluster and starts its server. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-postgres-'));
  const cluster = new Cluster(folder, await freePort(), options);
  cluster.create();
  await cluster.start();
  return cluster;
}

class Cluster implements PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #data: string;
  readonly #options: ServerOptions;
  readonly #programs: string;
  #process: ChildProcess | undefined;

  constructor(folder: string, port: number, options: ServerOptions) {
    this.port = port;
    this.#folder = folder;
    this.#data = join(folder, 'data');
    this.#options = options;
    const programs = postgresBinaries();
    if (programs === undefined) throw new Error('no PostgreSQL server: apt-get install postgresql');
    this.#programs = programs;
  }

  get url(): string {
    return this.address('admin');
  }

  address(role: string, { port = this.port, database = 'postgres' } = {}): string {
    return `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  }

  create(): void {
    const { hba, isSafe, settings, tls } = this.#options;
    const passwords = join(this.#folder, 'password');
    writeFileSync(passwords, decodeURIComponent(PASSWORD));
    const user = serverUser();
    giveTo(user, [this.#folder, passwords]);
    const args = ['--pgdata', this.#data, '--username=admin', '--auth=scram-sha-256', `--pwfile=${passwords}`];
    execFileSync(join(this.#programs, 'initdb'), [...args, '--no-sync', '--encoding=UTF8', '--locale=C'], {
      ...user,
      stdio: 'ignore',
    });
    const all = { ...(isSafe ? {} : { fsync: 'off' }), ...settings };
    const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`);
    writeFileSync(join(this.#data, 'postgresql.auto.conf'), lines.join(''));
    if (hba) {
      const path = join(this.#data, 'pg_hba.conf');
      writeFileSync(path, `${hba}\n${readFileSync(path, 'utf8')}`);
    }
    if (tls) createCertificate(this.#data, user);
  }

  async follower(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-postgres-'));
    const user = serverUser();
    giveTo(user, [folder]);
    const follower = new Cluster(folder, await freePort(), this.#options);
    const args = ['--pgdata', follower.#data, '--dbname', this.url, '--write-recovery-conf', '--checkpoint=fast'];
    const copying = spawn(join(this.#programs, 'pg_basebackup'), [...args, '--no-sync'], { ...user, stdio: 'ignore' });
    const code = await new Promise((resolve, reject) => copying.once('exit', resolve).once('error', reject));
    if (code !== 0) throw new Error(`pg_basebackup ended with ${code}`);
    await follower.start();
    return follower;
  }

  async promote(): Promise<void> {
    const args = ['promote', '-D', this.#data, '--wait'];
    execFileSync(join(this.#programs, 'pg_ctl'), args, { ...serverUser(), stdio: 'ignore' });
  }

  async start(): Promise<void> {
    for (;;) {
      // Workers of a killed server need a moment to end; until then a new one refuses to start.
      if (await this.#tryToStart()) return;
    }
  }

  async #tryToStart(): Promise<boolean> {
    const args = ['-D', this.#data, '-p', String(this.port), '-c', 'listen_addresses=127.0.0.1', '-k', ''];
    const child = spawn(join(this.#programs, 'postgres'), args, {
      ...serverUser(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      lines.push(line);
      if (/database system is ready to accept (?:read-only )?connections/.test(line)) {
        child.stderr.resume();
        return true;
      }
    }
    if (lines.some((line) => /pre-existing shared memory|lock file/.test(line))) return false;
    throw new Error(`the server did not start: ${lines.join('\n')}`);
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const others = childrenOf(child.pid);
    child.kill(signal);
    await ended;
    // Processes that serve connections end a moment later, and may answer one more statement until then.
    const untilMs = performance.now() + MAX_LAST_MS;
    while (performance.now() < untilMs && others.some(isRunning)) await new Promise(setImmediate);
  }
}

/** Longest wait for them. Where nothing collects ended processes, they seem to run. */
const MAX_LAST_MS = 2_000;

function childrenOf(pid = 0): readonly number[] {
  const pairs = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n');
  return pairs
    .map((pair) => pair.trim().split(/ +/).map(Number))
    .flatMap(([parent, own = 0]) => (parent === pid ? [own] : []));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Options of a child process. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd: string;
}

export function giveTo({ uid, gid }: User, paths: readonly string[]): void {
  if (uid === undefined || gid === undefined) return;
  for (const path of paths) chownSync(path, uid, gid);
}

/** The server refuses to run as root. Returns the user that the package created, or the one without rights. */
export function serverUser(): User {
  if (process.getuid?.() !== 0) return { cwd: tmpdir() };
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = users.find((user) => user.startsWith('postgres:')) ?? users.find((user) => user.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid), cwd: tmpdir() };
}

function createCertificate(folder: string, user: User): void {
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const output = ['-keyout', key, '-out', certificate, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...output], {
    stdio: 'ignore',
  });
  giveTo(user, [key, certificate]);
}

/**
 * Returns a port of loopback that nothing uses at the moment. The system gives it to no other program, so that a
 * server that was killed finds it free again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Returns a name for a schema that no other test uses. */
export function newSchema(): string {
  return `rsi_${randomBytes(5).toString('hex')}`;
}
