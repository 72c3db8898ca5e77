import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { missingLines, type Section } from './page.js';

/** Result of one section of the page. */
export interface Run {
  readonly title: string;
  readonly seconds: number;
  /** Sentence on what went wrong; absent if the first pattern was shown. */
  readonly problem?: string;
}

export interface RunOptions {
  /** Empty folder to work in. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Changes the commands before they run, e.g. the port. Default: they run word for word. */
  readonly rewrite?: (commands: string) => string;
}

/** Runs the blocks of a section in one shell, in the order of the page, as a reader who copies them does. */
export async function runSection(
  { title, steps }: Section,
  { folder, env, rewrite = (code) => code }: RunOptions,
): Promise<Run> {
  mkdirSync(folder, { recursive: true });
  const startedMs = performance.now();
  for (const step of steps) if (step.kind === 'file') writeFileSync(join(folder, step.name), step.code);
  const script = steps.flatMap((step) => (step.kind === 'commands' ? rewrite(step.code) : [])).join('\n');
  const { code, output } = await shell(script, folder, env);
  const seconds = (performance.now() - startedMs) / 1_000;
  const missing = steps.flatMap((step) => (step.kind === 'shows' ? missingLines(step.code, output) : []));
  if (code !== 0) return { title, seconds, problem: `exit code ${code}: ${lastLines(output)}` };
  if (missing.length > 0) return { title, seconds, problem: `does not show "${missing[0]}": ${lastLines(output)}` };
  return { title, seconds };
}

function shell(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  return new Promise((done, fail) => {
    const child = spawn('bash', ['-e', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    // A server that a failed command left behind would hold the streams open.
    child.on('exit', () => endGroup(child.pid));
    child.on('error', fail).on('close', (code) => done({ code, output }));
  });
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Every process of the group has ended.
  }
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-30).join('\n');
}

/** Default port of `rsi serve`, which the page names. */
export const SERVE_PORT = 7747;

/** Returns the commands with another port for `rsi serve`. */
export function onPort(commands: string, port: number): string {
  return commands.replaceAll('rsi serve', `rsi serve --port ${port}`).replaceAll(`:${SERVE_PORT}/`, `:${port}/`);
}

/** Returns a port that no program listens on: `wanted`, if it is free. */
export function freePort(wanted = 0): Promise<number> {
  return new Promise((found, fail) => {
    const server = createServer();
    server.once('error', () => (wanted === 0 ? fail(new Error('no port is free')) : found(freePort())));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
