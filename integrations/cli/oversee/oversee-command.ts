import { once } from 'node:events';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { LoopError } from 'rsi-loop';
import type { Supervised } from 'rsi-loop/oversee';
import { write } from '../terminal/output.js';
import { type ClaudeEvent, ClaudeStream } from './claude-stream.js';

/** Command line of a person, and whether its calls can be read. */
export interface OverseenCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** `claude -p`: it reports its calls. */
  readonly reports: boolean;
  /** Whether the person asked for the events themselves. */
  readonly showsEvents: boolean;
}

const NOTHING = { usd: 0, tokens: 0, calls: 0 } as const;

/** Returns how a command is started: `claude -p` with its events, any other as it is. */
export function overseenCommand([command = '', ...args]: readonly string[]): OverseenCommand {
  const prints = basename(command) === 'claude' && args.some((arg) => arg === '-p' || arg === '--print');
  const format = args.findIndex((arg) => arg === '--output-format' || arg.startsWith('--output-format='));
  const asked = format < 0 ? undefined : (args[format]?.split('=')[1] ?? args[format + 1]);
  const showsEvents = asked === 'stream-json';
  if (!prints || (asked !== undefined && asked !== 'text' && !showsEvents))
    return { command, args, reports: false, showsEvents: false };
  const events = showsEvents ? [] : ['--output-format', 'stream-json'];
  const others = asked === 'text' ? args.toSpliced(format, args[format]?.includes('=') ? 1 : 2) : args;
  const verbose = others.includes('--verbose') ? [] : ['--verbose'];
  return { command, args: [...others, ...events, ...verbose], reports: true, showsEvents };
}

/** Runs a command in a supervised run, and returns its exit code. Rejects if the command cannot be started. */
export async function runOverseen(run: Supervised, overseen: OverseenCommand): Promise<number> {
  const { command, args, reports, showsEvents } = overseen;
  const child = run.spawn(command, args, { stdio: ['inherit', reports ? 'pipe' : 'inherit', 'inherit'] });
  const ended = once(child, 'close').catch((error: unknown) => {
    throw new LoopError('invalid-input', `${command} cannot be started: ${String(error)}`, { cause: error });
  });
  if (child.stdout) await readCalls(run, child.stdout, showsEvents);
  const [code] = (await ended) as [number | null]; // the arguments of `close`
  return code ?? 1;
}

/** Takes the events of the agent, and prints them or its answer. */
async function readCalls(run: Supervised, output: Readable, showsEvents: boolean): Promise<void> {
  const stream = new ClaudeStream();
  const account = new ClaudeAccount(run);
  for await (const line of createInterface({ input: output })) {
    if (showsEvents) await write(process.stdout, `${line}\n`);
    for (const event of stream.read(line)) {
      await account.take(event);
      if (event.kind === 'result' && !showsEvents) await write(process.stdout, `${event.text}\n`);
    }
  }
}

/** Counts what the agent reports. Its calls are made before they are known, so it ends when the next one may not fit. */
class ClaudeAccount {
  readonly #run: Supervised;
  #paidUsd = 0;

  constructor(run: Supervised) {
    this.#run = run;
  }

  async take(event: ClaudeEvent): Promise<void> {
    if (event.kind === 'tool-call') this.#run.note(event.call);
    else if (event.kind === 'result')
      await this.#pay({ usd: Math.max(0, event.usd - this.#paidUsd), tokens: 0, calls: 0 });
    else {
      const { model, used } = event;
      if (used.usd === undefined && this.#run.left().usd !== undefined)
        throw new LoopError('invalid-input', `${model} has no list price: limit --tokens or --minutes instead`);
      await this.#pay(used);
      // The agent makes its next call without asking: it must fit too.
      await this.#run.spend(
        used,
        () => undefined,
        () => NOTHING,
      );
    }
  }

  async #pay(used: { readonly usd?: number; readonly tokens?: number; readonly calls?: number }): Promise<void> {
    this.#paidUsd += used.usd ?? 0;
    await this.#run.spend(
      NOTHING,
      () => undefined,
      () => ({ ...NOTHING, ...used }),
    );
  }
}
