import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { adviceAnswer, loopAnswer, SILENT } from '../../sources/agents/answer.js';
import type { AgentEvent, HookAnswer, HookFormat } from '../../sources/agents/event.js';
import { HOOK_FORMATS } from '../../sources/agents/formats.js';
import { withKeptNames } from '../../sources/agents/keep-names.js';
import { identifyCall, type LoopFinding } from '../../sources/agents/loop-detector.js';
import { type EventOutcome, loopOutcome, outcomeOf, SESSION, sessionEnd } from '../../sources/agents/outcome.js';
import { hash } from '../../sources/hash.js';
import { timedId } from '../../sources/timed-id.js';
import { HookInbox } from './inbox.js';
import { readStdin } from './read-stdin.js';
import { SessionNotes } from './session-notes.js';

interface HookArguments {
  readonly agent: string;
  readonly store: string;
  readonly stopLoops: boolean;
  readonly isQuiet: boolean;
  /** JSON that Codex passes to the `notify` program as its last argument. */
  readonly body?: string;
}

/**
 * Runs `rsi hook <agent>`: records the event and answers the agent. The agent waits for this process, so it loads as
 * little as possible. On any failure it prints an empty object, exits with 0 and writes the reason to standard error.
 */
export async function runHook(args: readonly string[]): Promise<void> {
  let answer: HookAnswer = SILENT;
  try {
    const options = readArguments(args);
    const format = HOOK_FORMATS[options.agent];
    if (format === undefined)
      throw new Error(
        `${options.agent === '' ? 'no agent is named' : `unknown agent ${options.agent}`}: name one of ${Object.keys(HOOK_FORMATS).join(', ')}`,
      );
    const body: unknown = parse(options.body ?? readStdin());
    const event = format.read(body);
    if (event !== undefined) answer = await new Hook(format, options).take(event, body);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    writeSync(2, `rsi hook: ${reason.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 300)}\n`);
  }
  writeSync(1, `${JSON.stringify(answer)}\n`);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the body of the hook is not valid JSON, so nothing was recorded: ${reason}`, { cause });
  }
}

function readArguments(args: readonly string[]): HookArguments {
  const [agent = ''] = args;
  const at = args.indexOf('--store');
  // Not in the project: a user's hooks run in every repository they open, and each repository could bring its own data.
  const store = (at < 0 ? undefined : args[at + 1]) ?? join(homedir(), '.rsi_data');
  const last = args.at(-1);
  return {
    agent,
    store: resolve(store),
    stopLoops: args.includes('--stop-loops'),
    isQuiet: args.includes('--no-background'),
    ...(last?.startsWith('{') && { body: last }),
  };
}

class Hook {
  readonly #format: HookFormat;
  readonly #options: HookArguments;
  readonly #spool: HookInbox;
  readonly #atMs = Date.now();
  readonly #key = hash(`${process.pid} ${process.hrtime.bigint()} ${Math.random()}`);

  constructor(format: HookFormat, options: HookArguments) {
    this.#format = format;
    this.#options = options;
    this.#spool = new HookInbox(options.store);
  }

  async take(event: AgentEvent, body: unknown): Promise<HookAnswer> {
    await this.#spool.prepare();
    const notes = new SessionNotes(this.#spool.sessions, this.#format.source, event.session);
    switch (event.kind) {
      case 'session-started':
        return adviceAnswer(this.#format, body, await this.#begin(event, notes));
      case 'session-ended':
        await this.#end(event, notes);
        await this.#letTake(true);
        return SILENT;
      case 'prompt-given':
        notes.promptGiven(this.#atMs);
        return SILENT;
      case 'tool-ended':
        return loopAnswer(this.#format, body, await this.#tool(event, notes), this.#options);
      case 'turn-ended': {
        const memory = notes.memory();
        if (!memory.reported) await this.#record(outcomeOf(event, memory, this.#about()));
        notes.add({ turnFailed: event.failure !== undefined });
        await this.#letTake(false);
        return SILENT;
      }
      case 'subagent-ended':
      case 'compacting':
        await this.#record(outcomeOf(event, notes.memory(), this.#about()));
        return SILENT;
      default:
        return event satisfies never;
    }
  }

  /** Returns the text for a session. A resumed or compacted session gets the text it was given when it began. */
  async #begin(event: AgentEvent, notes: SessionNotes): Promise<readonly string[]> {
    const known = notes.begun();
    if (known) {
      if (event.model !== undefined) notes.add({ model: event.model });
      return known.advice;
    }
    this.#spool.sweep(this.#atMs);
    const { beginSession } = await import('./begin-session.js');
    const begun = await beginSession(event, this.#spool.store, this.#format.source, this.#atMs);
    notes.begin(begun);
    return begun.advice;
  }

  async #end(event: AgentEvent, notes: SessionNotes): Promise<void> {
    const begun = notes.begun();
    const { model, lastTurnFailed } = notes.memory();
    const { source } = this.#format;
    const outcome = {
      id: begun?.id ?? timedId(this.#atMs, this.#key),
      task: SESSION,
      ...sessionEnd(lastTurnFailed),
      atMs: this.#atMs,
      source,
      session: event.session,
      endsSession: true,
      ...(begun?.id !== undefined && { managed: true }),
      ...(begun && { durationMs: Math.max(0, this.#atMs - begun.atMs) }),
      ...(model !== undefined && { model }),
    };
    this.#leave(await withKeptNames(outcome));
    notes.forget();
  }

  async #tool(
    event: Extract<AgentEvent, { kind: 'tool-ended' }>,
    notes: SessionNotes,
  ): Promise<LoopFinding | undefined> {
    const memory = notes.memory();
    const { tool, input, result, failure, callId } = event;
    await this.#record(outcomeOf(event, memory, this.#about(callId)));
    // The session's notes keep the tool name.
    const kept = await withKeptNames({ tool });
    const identity = identifyCall({ ...kept, input, result, ...(failure && { error: failure.message }) });
    const finding = notes.addCall(event.agentId ?? '', identity, this.#key);
    if (finding?.isNew && !memory.reported) {
      notes.add({ reported: true });
      await this.#record(loopOutcome(event, memory, this.#about(), finding.message), '-loop');
    }
    return finding;
  }

  async #record(outcome: EventOutcome | undefined, ending = ''): Promise<void> {
    if (outcome === undefined) return;
    // Only failures have a text that may hold a secret; names rarely do. Loading the redactor takes most of a hook's
    // time.
    if (outcome.error === undefined) return this.#leave(await withKeptNames(outcome), ending);
    const { nameFailure } = await import('../../sources/agents/name-failure.js');
    this.#leave(await withKeptNames(nameFailure(outcome)), ending);
  }

  #leave(outcome: object, ending = ''): void {
    this.#spool.leave(timedId(this.#atMs, this.#key + ending), outcome);
  }

  #about(callId?: string): { source: string; atMs: number; unique: string } {
    return { source: this.#format.source, atMs: this.#atMs, unique: callId ?? this.#key };
  }

  async #letTake(isEnd: boolean): Promise<void> {
    const command = process.argv[1];
    if (this.#options.isQuiet || command === undefined) return;
    if (this.#spool.isTimeToTake(this.#atMs, isEnd)) await this.#spool.take(command);
  }
}
