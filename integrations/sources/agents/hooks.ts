import { type Clock, type OpenTask, type RSILoop, reportProblem, SystemClock } from 'rsi-loop';
import { adviceAnswer, loopAnswer, SILENT } from './answer.js';
import { given } from './body.js';
import { claudeCodeHooks } from './claude-hook.js';
import { codexHooks } from './codex-hook.js';
import { cursorHooks } from './cursor-hook.js';
import type { AgentEvent, HookAnswer, HookFormat } from './event.js';
import { geminiHooks } from './gemini-hook.js';
import { LoopDetector, type LoopDetectorOptions, type LoopFinding } from './loop-detector.js';
import { failureNamer, nameFailure } from './name-failure.js';
import { type EventOutcome, loopOutcome, outcomeOf, SESSION, SESSION_DEADLINE_MS, sessionEnd } from './outcome.js';

export interface HookOptions {
  /** Ends the agent's work when it goes round in circles to the last step. Default false: it only hears of it. */
  readonly stopLoops?: boolean;
  readonly detector?: LoopDetectorOptions;
  /** Default: the machine's time. */
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Takes the body of one hook, records what it says, and gives the answer for the agent. Never throws and never waits:
 * a body it cannot read is answered with an empty object.
 */
export type HookHandler = (body: unknown) => HookAnswer;

/** Hooks of Claude Code, for a server they are posted to. */
export function claudeHandler(loop: RSILoop, options?: HookOptions): HookHandler {
  return hookHandler(loop, claudeCodeHooks, options);
}

/** Hooks of Codex, and what it hands to the program at `notify`. */
export function codexHandler(loop: RSILoop, options?: HookOptions): HookHandler {
  return hookHandler(loop, codexHooks, options);
}

/** Hooks of Gemini CLI. */
export function geminiHandler(loop: RSILoop, options?: HookOptions): HookHandler {
  return hookHandler(loop, geminiHooks, options);
}

/** Hooks of Cursor. */
export function cursorHandler(loop: RSILoop, options?: HookOptions): HookHandler {
  return hookHandler(loop, cursorHooks, options);
}

function hookHandler(loop: RSILoop, format: HookFormat, options: HookOptions = {}): HookHandler {
  const sessions = new AgentSessions(loop, format.source, options);
  return (body) => {
    try {
      const event = format.read(body);
      if (event === undefined) return SILENT;
      const { advice, finding } = sessions.take(event);
      if (event.kind === 'session-started') return adviceAnswer(format, body, advice);
      return loopAnswer(format, body, finding, options);
    } catch (error) {
      reportProblem(loop, 'hooks', `a hook of ${format.source} was not taken: ${String(error).slice(0, 200)}`);
      return SILENT;
    }
  };
}

export interface EventResult {
  /** The rules of the session; only when it starts or goes on. */
  readonly advice: readonly string[];
  /** The loop that the agent is in, if it is in one. */
  readonly finding: LoopFinding | undefined;
}

/** Sessions followed at once; of more, those that were silent longest are let go. */
const MAX_SESSIONS = 1_000;
/** Agents of one session whose calls are followed at once. */
const MAX_AGENTS = 16;
const NO_ADVICE: readonly string[] = [];

interface Session {
  model?: string;
  turnStartedMs?: number;
  /** The turn was recorded when it was noticed to be going in circles. */
  turnTold: boolean;
  lastTurnFailed: boolean;
  task?: OpenTask;
  readonly detectors: Map<string, LoopDetector>;
}

/** Follows the sessions of one kind of agent from event to event, and records what ends in them. */
export class AgentSessions {
  readonly #loop: RSILoop;
  readonly #source: string;
  readonly #options: HookOptions;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #namer = failureNamer();
  readonly #sessions = new Map<string, Session>();
  #events = 0;

  constructor(loop: RSILoop, source: string, options: HookOptions = {}) {
    this.#loop = loop;
    this.#source = source;
    this.#options = options;
    this.#clock = options.clock ?? new SystemClock();
  }

  take(event: AgentEvent): EventResult {
    const session = this.#session(event.session);
    if (event.model !== undefined) session.model = event.model;
    const about = { source: this.#source, atMs: this.#clock.now(), unique: this.#unique(event) };
    let finding: LoopFinding | undefined;
    switch (event.kind) {
      case 'session-started':
        return { advice: this.#begin(event, session), finding };
      case 'session-ended':
        this.#end(event, session);
        return { advice: NO_ADVICE, finding };
      case 'prompt-given':
        session.turnStartedMs = about.atMs;
        session.turnTold = false;
        session.detectors.clear();
        break;
      case 'turn-ended':
        session.lastTurnFailed = event.failure !== undefined;
        break;
      case 'tool-ended':
        finding = this.#detector(event, session).add({
          tool: event.tool,
          input: event.input,
          result: event.result,
          ...(event.failure && { error: event.failure.message }),
        });
        break;
      default:
    }
    if (event.kind !== 'turn-ended' || !session.turnTold) this.#record(outcomeOf(event, session, about));
    if (event.kind === 'turn-ended') {
      delete session.turnStartedMs;
      session.turnTold = false;
    }
    if (finding?.isNew && !session.turnTold) {
      session.turnTold = true;
      this.#record(loopOutcome(event, session, { ...about, unique: `${about.unique}-loop` }, finding.message));
    }
    return { advice: NO_ADVICE, finding };
  }

  /** A session that goes on (resumed, compacted) keeps the task it was begun with, and with it its arms. */
  #begin(event: AgentEvent, session: Session): readonly string[] {
    session.task ??= this.#loop.begin(SESSION, {
      session: event.session,
      source: this.#source,
      deadlineMs: SESSION_DEADLINE_MS,
      ...given({ model: session.model }),
    });
    return session.task.advice;
  }

  #end(event: AgentEvent, session: Session): void {
    const end = sessionEnd(session.lastTurnFailed);
    if (session.task) session.task.end({ ...end, endsSession: true });
    // It began before this process did.
    else this.#loop.endSession(event.session, { ...end, source: this.#source });
    this.#sessions.delete(event.session);
  }

  #session(id: string): Session {
    const session = this.#sessions.get(id) ?? { turnTold: false, lastTurnFailed: false, detectors: new Map() };
    // The newest last, so that the first is the one that was silent longest.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (this.#sessions.size > MAX_SESSIONS) this.#sessions.delete(this.#sessions.keys().next().value ?? '');
    return session;
  }

  #detector({ agentId = '' }: AgentEvent, { detectors }: Session): LoopDetector {
    const known = detectors.get(agentId);
    if (known) return known;
    if (detectors.size >= MAX_AGENTS) detectors.delete(detectors.keys().next().value ?? '');
    const detector = new LoopDetector(this.#options.detector);
    detectors.set(agentId, detector);
    return detector;
  }

  #record(outcome: EventOutcome | undefined): void {
    if (outcome) this.#loop.observer.record(nameFailure(outcome, this.#namer));
  }

  #unique(event: AgentEvent): string {
    const own = event.kind === 'tool-ended' ? event.callId : undefined;
    return own ?? `${event.session}-${(this.#events++).toString(36)}`;
  }
}
