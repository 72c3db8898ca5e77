/**
 * Wall time of short commands, each a process of its own, started from the built package (`npm run build` first), beside a
 * process that does nothing. Runs are paired: each round starts every command once. `--runs=100` for more.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';

const runs = Number(process.argv.find((arg) => arg.startsWith('--runs='))?.slice(7) ?? 40);
const command = resolve(import.meta.dirname, '../../dist/cli.js');
if (!existsSync(command)) throw new Error(`there is no ${command}: run "npm run build" first`);
const folder = mkdtempSync(join(tmpdir(), 'rsi-start-'));
const idle = join(folder, 'idle.mjs');
writeFileSync(idle, '');

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'a process that does nothing': [idle],
  'rsi --version': [command, '--version'],
  'rsi --help': [command, '--help'],
  'rsi status --help': [command, 'status', '--help'],
  'rsi status': [command, 'status'],
  'rsi (status)': [command],
};

/** Fills `rsi_data` with a day of a small agent. */
async function fillStore(): Promise<void> {
  const loop = new RSILoop({ store: new FileStore(join(folder, 'rsi_data')), autoFix: false });
  await loop.ready();
  for (let number = 0; number < 500; number++) {
    const error = number % 9 === 0 ? { error: `connect ETIMEDOUT 10.0.0.${number % 250}:443` } : {};
    loop.observer.recordSimple(`task_${number % 5}`, {
      success: number % 9 !== 0,
      session: `s-${number >> 4}`,
      ...error,
    });
  }
  await loop.runCycle();
  await loop.close();
}

try {
  await fillStore();
  const times = new Map(Object.keys(COMMANDS).map((name): [string, number[]] => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const [name, args] of Object.entries(COMMANDS)) {
      const startedMs = performance.now();
      spawnSync(process.execPath, args, { cwd: folder, env: { ...process.env, RSI_CONFIG: 'none' } });
      times.get(name)?.push(performance.now() - startedMs);
    }
  }
  console.log(`milliseconds${' '.repeat(22)}    min median    95 %   (${runs} runs)`);
  for (const [name, taken] of times) {
    taken.sort((one, other) => one - other);
    const at = (share: number) => (taken[Math.floor(taken.length * share)] ?? 0).toFixed(0).padStart(7);
    console.log(`${name.padEnd(34)}${at(0)}${at(0.5)}${at(0.95)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
