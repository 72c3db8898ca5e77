import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { TemplateMiner } from '../../src/classify/template-miner.js';
import { classifyError } from '../../src/index.js';
import { LOG_STYLES, linesInStyle } from '../../test/fixtures/log-styles.js';
import { ROOT } from './tree.js';

const OUT = join(ROOT, '.tmp/numbers');
const ROUNDS = 15;

/** Figures of the main entry as users bundle and start it: sizes in bytes gzipped, times in milliseconds of one processor. */
export interface MainEntry {
  readonly atStartBytes: number;
  readonly lateBytes: number;
  readonly readyMs: number;
  readonly firstFailureMs: number;
}

/** Bundles the main entry from its source, and starts it in processes of its own. */
export async function measureMainEntry(): Promise<MainEntry> {
  rmSync(OUT, { recursive: true, force: true });
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export * from './src/index.js';`, resolveDir: ROOT, sourcefile: 'entry.ts' },
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', metafile: true, write: false },
    ...{ outdir: OUT, entryNames: 'main', platform: 'neutral', target: 'es2022', logLevel: 'error' },
    absWorkingDir: ROOT,
  });
  mkdirSync(OUT, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  const first = startedWith(metafile.outputs, '.tmp/numbers/main.js');
  const bytes = (isFirst: boolean) =>
    outputFiles
      .filter(({ path }) => first.has(path.slice(ROOT.length + 1)) === isFirst)
      .reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  const runs = Array.from({ length: ROUNDS }, startLoop);
  return {
    atStartBytes: bytes(true),
    lateBytes: bytes(false),
    readyMs: median(runs.map(({ ready }) => ready)),
    firstFailureMs: median(runs.map(({ failure }) => failure)),
  };
}

type Outputs = Readonly<
  Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>
>;

/** Returns the files that are loaded with `file`, without those that a running program loads later. */
function startedWith(outputs: Outputs, file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind } of outputs[file]?.imports ?? []) {
    if (kind === 'import-statement') startedWith(outputs, path, seen);
  }
  return seen;
}

/** Starts a process that makes a loop ready and records a failure. */
function startLoop(): { readonly ready: number; readonly failure: number } {
  const program = `
    const begun = process.cpuUsage();
    const { RSILoop } = await import(${JSON.stringify(pathToFileURL(join(OUT, 'main.js')).href)});
    const loop = new RSILoop();
    await loop.ready();
    const spent = ({ user, system }) => (user + system) / 1000;
    const ready = spent(process.cpuUsage(begun));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const start = process.cpuUsage();
    loop.observer.recordSimple('task', { success: false, error: 'Something odd happened with the payment of order 17' });
    console.log(JSON.stringify({ ready, failure: spent(process.cpuUsage(start)) }));
    process.exit();`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }));
}

/** Returns classifications per second of one processor, on log lines of which no two are alike. */
export function classifySpeed(): number {
  const lines = logLines();
  let at = 0;
  return bestRate(4_000, () => {
    classifyError(`${lines[at % lines.length]} [${at++ * 7919}]`);
  });
}

/** Returns messages grouped per second of one processor. Each round begins with an empty miner. */
export function groupingSpeed(): number {
  const lines = logLines();
  const rates = Array.from({ length: 5 }, () => {
    const miner = new TemplateMiner();
    let at = 0;
    return rate(lines.length, () => miner.add(lines[at++] ?? ''));
  });
  return Math.max(...rates);
}

function logLines(): readonly string[] {
  const styles = LOG_STYLES.map((style) => linesInStyle(style, 1_000).map(({ message }) => message));
  return Array.from({ length: 1_000 }, (_, index) => styles.map((lines) => lines[index] ?? '')).flat();
}

/** Returns how long `rsi status` takes beside a process that does nothing; undefined without a built command. */
export function statusBesideIdle(): number | undefined {
  const command = join(ROOT, 'dist/cli.js');
  if (!existsSync(command)) return undefined;
  const folder = join(OUT, 'idle');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'idle.mjs'), '');
  const env = { ...process.env, RSI_CONFIG: 'none' };
  const wall = (args: readonly string[]) => {
    const start = performance.now();
    spawnSync(process.execPath, args, { cwd: folder, env });
    return performance.now() - start;
  };
  const runs = Array.from(
    { length: ROUNDS },
    () => [wall([join(folder, 'idle.mjs')]), wall([command, 'status'])] as const,
  );
  return median(runs.map(([, status]) => status)) / median(runs.map(([idle]) => idle));
}

function bestRate(count: number, work: () => void): number {
  return Math.max(...Array.from({ length: ROUNDS }, () => rate(count, work)));
}

function rate(count: number, work: () => unknown): number {
  const start = process.cpuUsage();
  for (let done = 0; done < count; done++) work();
  const { user, system } = process.cpuUsage(start);
  return count / ((user + system) / 1e6);
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
