import { setTimeout as sleep } from 'node:timers/promises';
import { LoopError, redact } from 'rsi-loop';
import { EXIT, type ExitCode } from '../exit.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { notice, print, write } from '../terminal/output.js';
import { plain } from '../terminal/terminal-text.js';
import { addedSince, lastLines, sizeOf } from './log-file.js';
import { pathsOf, readRecord } from './record.js';

interface LogOptions {
  readonly lines: number;
  readonly follow?: true;
  readonly json?: true;
}

const LOOK_EVERY_MS = 300;

/**
 * Prints the last lines of a service's log, and new ones until Ctrl-C. What is printed holds no known secret and no
 * control character; the file is as the service wrote it.
 */
export async function showLog(name: string, folder: string, { lines, follow, json }: LogOptions): Promise<ExitCode> {
  const { log, record } = pathsOf(folder, name);
  if (!(await readRecord(record))) {
    throw new LoopError('invalid-input', `${name} was never started, so it has no log: "services start ${name}"`);
  }
  let to = await sizeOf(log);
  const shown = await shownLines(log, lines);
  await print(
    { document: { format: 'rsi-services-logs/1', name, file: log, lines: shown }, text: joined(shown) },
    json,
  );
  if (!follow || json) {
    if (shown.length === 0 && !json) await notice(`the log of ${name} is empty: ${log}`);
    return EXIT.done;
  }
  const { signal, release } = onInterrupt();
  let rest = '';
  while (!signal.aborted) {
    const added = await addedSince(log, to);
    to = added.to;
    const parts = (rest + added.text).split('\n');
    // A line without end is shown once it is long or complete.
    rest = (parts.pop() ?? '').slice(-MAX_REST);
    if (parts.length > 0) await write(process.stdout, joined(parts.map(safe)));
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  release();
  return EXIT.interrupted;
}

/** Returns the last lines of a service's log as they may be printed. */
export async function shownEnd(name: string, folder: string, count: number): Promise<string> {
  return joined(await shownLines(pathsOf(folder, name).log, count));
}

async function shownLines(log: string, count: number): Promise<readonly string[]> {
  return (await lastLines(log, count)).map(safe);
}

const MAX_REST = 100_000;

function safe(line: string): string {
  return plain(redact(line));
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
