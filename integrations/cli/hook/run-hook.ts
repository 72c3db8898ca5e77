import { existsSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { identifyCall, type LoopFinding } from 'rsi-loop/loop-detector';
import { adviceAnswer, loopAnswer, SILENT, showsMessage, withMessage } from '../../sources/agents/answer.js';
import { firstText, rowOf } from '../../sources/agents/body.js';
import type { Demand } from '../../sources/agents/demands.js';
import type { AgentEvent, HookAnswer, HookFormat, ToolEnded } from '../../sources/agents/event.js';
import { HOOK_FORMATS } from '../../sources/agents/formats.js';
import { withKeptNames } from '../../sources/agents/keep-names.js';
import { type EventOutcome, loopOutcome, outcomeOf, SESSION, sessionEnd } from '../../sources/agents/outcome.js';
import { hash } from '../../sources/hash.js';
import { timedId } from '../../sources/timed-id.js';
import type { StudySession } from '../prove/sessions.js';
import { isDatabase } from '../store/database.js';
import { complain, reasonOf, unrecorded } from './complain.js';
import { HookInbox } from './inbox.js';
import { readStdin } from './read-stdin.js';
import { type BegunSession, SessionNotes } from './session-notes.js';

interface HookArguments {
  readonly agent: string;
  readonly store: string;
  readonly stopLoops: boolean;
  readonly isQuiet: boolean;
  /** Whether a session begins with a line on the last 7 days, once a week. */
  readonly isWeekly: boolean;
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
    if (event !== undefined) answer = await answerTo(event, body, new Hook(format, options), format);
  } catch (error) {
    complain(error);
  }
  writeSync(1, `${JSON.stringify(answer)}\n`);
}

/** A session that begins without a place for its records, or without its rules, tells the person. */
async function answerTo(event: AgentEvent, body: unknown, hook: Hook, format: HookFormat): Promise<HookAnswer> {
  try {
    return await hook.take(event, body);
  } catch (error) {
    if (event.kind !== 'session-started') throw error;
    complain(error);
    return withMessage(format, SILENT, `rsi: ${reasonOf(error)}`);
  }
}

/** Returns as context whether the session followed the rules on trial that it got, as far as its calls show it. */
async function signsOf(notes: SessionNotes): Promise<Pick<EventOutcome, 'context'>> {
  const { rules = [], demands = [] } = notes.begun() ?? {};
  if (rules.length === 0) return {};
  const [{ followed }, { followedContext }] = await Promise.all([
    import('../../sources/agents/demands.js'),
    import('../../sources/agents/given-rules.js'),
  ]);
  const all = [...demands.map(({ demand }) => demand), ...rules.flatMap((rule) => rule.demands)];
  const context = followedContext(rules, followed(all, notes.steps()).slice(demands.length));
  return context ? { context } : {};
}

/** Returns the folder in which the agent works, as the body names it. */
function folderOf(body: unknown): string | undefined {
  const row = rowOf(body);
  const roots = row?.workspace_roots;
  return firstText(row, 'cwd') ?? (Array.isArray(roots) && typeof roots[0] === 'string' ? roots[0] : undefined);
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
  if (isDatabase(store)) throw new Error('a hook records in a folder, and --store names a database: name a folder');
  const last = args.at(-1);
  return {
    agent,
    store: resolve(store),
    stopLoops: args.includes('--stop-loops'),
    isQuiet: args.includes('--no-background'),
    isWeekly: args.includes('--weekly'),
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
    await this.#prepare(event);
    const notes = new SessionNotes(this.#spool.sessions, this.#format.source, event.session);
    switch (event.kind) {
      case 'session-started':
        return this.#answer(body, await this.#begin(event, body, notes));
      case 'session-ended':
        await this.#end(event, notes, firstText(rowOf(body), 'transcript_path'));
        await this.#letTake(true);
        return SILENT;
      case 'prompt-given':
        notes.promptGiven(this.#atMs);
        await this.#readPrompt(event.said, notes);
        return SILENT;
      case 'tool-ended':
        return loopAnswer(this.#format, body, await this.#tool(event, notes), this.#options);
      case 'turn-ended': {
        const memory = notes.memory();
        if (!memory.reported) {
          const outcome = outcomeOf(event, memory, this.#about());
          await this.#record(outcome && { ...outcome, ...(await signsOf(notes)) });
        }
        notes.add({ turnFailed: event.failure !== undefined });
        if (memory.isStudied) notes.count('turns', event.failure !== undefined || memory.reported);
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

  /** @throws Error saying that the session or the event is not recorded, and why, if nothing can be written. */
  async #prepare({ kind }: AgentEvent): Promise<void> {
    const isStart = kind === 'session-started';
    try {
      await this.#spool.prepare();
      if (isStart) this.#spool.tryToWrite(this.#key);
    } catch (error) {
      throw unrecorded(isStart ? 'session' : 'event', error);
    }
  }

  #answer(body: unknown, { advice, instructions, week }: BegunSession & { readonly week?: string }): HookAnswer {
    return withMessage(this.#format, adviceAnswer(this.#format, body, advice, instructions), week);
  }

  /** Returns the texts for a session. A resumed or compacted session gets those it was given when it began. */
  async #begin(
    event: AgentEvent,
    body: unknown,
    notes: SessionNotes,
  ): Promise<BegunSession & { readonly week?: string }> {
    const known = notes.begun();
    if (known) {
      if (event.model !== undefined) notes.add({ model: event.model });
      return known;
    }
    this.#spool.sweep(this.#atMs);
    const { beginSession } = await import('./begin-session.js');
    const { store } = this.#spool;
    try {
      const isWeekly = this.#options.isWeekly && showsMessage(this.#format) && this.#spool.isTimeForWeek(this.#atMs);
      const { isFrozen, week, ...begun } = await beginSession(event, store, this.#format.source, this.#atMs, isWeekly);
      const session = { ...begun, ...(await this.#study(event, notes, body, isFrozen !== true)) };
      notes.begin(session);
      return week === undefined ? session : { ...session, week };
    } catch (error) {
      // The lines under test are not in their files: the agent needs them, even if nothing else can be read.
      const session = await this.#study(event, notes, body, false);
      const waiting = new Error(`${reasonOf(error)}; until then, records wait in ${this.#spool.inbox}`, {
        cause: error,
      });
      if (session?.instructions === undefined) throw waiting;
      complain(waiting);
      return { atMs: this.#atMs, advice: [], ...session };
    }
  }

  /** Returns the lines under test that a session gets; undefined without a study. */
  async #study(
    event: AgentEvent,
    notes: SessionNotes,
    body: unknown,
    isDrawn: boolean,
  ): Promise<StudySession | undefined> {
    const { store } = this.#spool;
    if (!existsSync(join(store, 'prove'))) return undefined;
    const [{ beginStudies }, { mustBeOwnData }] = await Promise.all([
      import('../prove/sessions.js'),
      import('../store/own-data.js'),
    ]);
    // These lines are given to an agent.
    mustBeOwnData(store);
    const isAllowed = isDrawn && ['', '0', 'false'].includes(process.env.RSI_FREEZE ?? '');
    const { model } = event;
    const about = { key: notes.key, folder: folderOf(body) ?? process.cwd(), ...(model !== undefined && { model }) };
    return beginStudies(store, { ...about, isDrawn: isAllowed });
  }

  /** Counts a turn that the user rejects, in sessions of a study. */
  async #readPrompt(said: string | undefined, notes: SessionNotes): Promise<void> {
    if (said === undefined || !notes.memory().isStudied) return;
    const { isCorrection } = await import('../../sources/sessions/corrections.js');
    if (isCorrection(said)) notes.countCorrection();
  }

  /** Notes what a call shows about the steps that lines and rules of its session ask for. */
  async #noteSteps(
    { tool, input, failure }: ToolEnded,
    demands: readonly Demand[],
    notes: SessionNotes,
  ): Promise<void> {
    if (demands.length === 0) return;
    const { stepsOf } = await import('../../sources/agents/demands.js');
    notes.addSteps(stepsOf({ tool, input, hasFailed: failure !== undefined }, demands));
  }

  async #end(event: AgentEvent, notes: SessionNotes, transcript?: string): Promise<void> {
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
      ...(await signsOf(notes)),
    };
    this.#leave(await withKeptNames(outcome));
    if (begun?.studies !== undefined && begun.studies.length > 0) {
      const { endStudies } = await import('../prove/sessions.js');
      const durationMs = Math.max(0, this.#atMs - begun.atMs);
      const { demands = [], atMs: beganMs } = begun;
      const about = { beganMs, durationMs, ...(transcript !== undefined && { transcript }) };
      const result = { ...notes.counts(), ...about, demands, steps: notes.steps() };
      await endStudies(this.#spool.store, begun.studies, notes.key, result);
    }
    notes.forget();
  }

  async #tool(event: Extract<AgentEvent, ToolEnded>, notes: SessionNotes): Promise<LoopFinding | undefined> {
    const memory = notes.memory();
    const { tool, input, result, failure, callId } = event;
    if (memory.isStudied) notes.count('tools', failure !== undefined);
    await this.#noteSteps(event, memory.demands, notes);
    await this.#record(outcomeOf(event, memory, this.#about(callId)));
    // The session's notes keep the tool name.
    const kept = await withKeptNames({ tool });
    const about = { input, result, atMs: this.#atMs, ...(failure && { error: failure.message }) };
    const identity = identifyCall({ ...kept, ...about });
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
    try {
      this.#spool.leave(timedId(this.#atMs, this.#key + ending), outcome);
    } catch (error) {
      throw unrecorded('event', error);
    }
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
