import { type Clock, describeError, type OpenTask, type RSILoop, reportProblem, SystemClock } from 'rsi-loop';
import { BoundedMap, results } from 'rsi-loop/kit';
import { LoopDetector, type LoopDetectorOptions, type LoopFinding } from 'rsi-loop/loop-detector';
import { adviceAnswer, loopAnswer, SILENT, withMessage } from './answer.js';
import { given, parsed } from './body.js';
import { claudeCodeHooks } from './claude-hook.js';
import { codexHooks } from './codex-hook.js';
import { cursorHooks } from './cursor-hook.js';
import { type Demand, followed, stepsOf } from './demands.js';
import type { AgentEvent, HookAnswer, HookFormat, ToolEnded } from './event.js';
import { geminiHooks } from './gemini-hook.js';
import { followedContext, type GivenRule, givenRules } from './given-rules.js';
import { failureNamer, nameFailure } from './name-failure.js';
import { type EventOutcome, loopOutcome, outcomeOf, SESSION, SESSION_DEADLINE_MS, sessionEnd } from './outcome.js';

/** Options of `claudeHandler` and the other handlers. */
export interface HookOptions {
  /** Stops the agent when it repeats itself up to the last step. Default false: it only gets a hint. */
  readonly stopLoops?: boolean;
  readonly detector?: LoopDetectorOptions;
  /** Default: the machine's clock. */
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Handler for the body of one hook: records the event and returns the answer for the agent. Never throws and never
 * waits. Answers an unreadable body with an empty object.
 */
export type HookHandler = (body: unknown) => HookAnswer;

/** Creates the handler for hooks of one agent. */
type OpenHandler = (loop: RSILoop, options?: HookOptions) => HookHandler;

/** Returns a handler for hooks of Claude Code that are posted to a server. */
export const claudeHandler = handlerOf(claudeCodeHooks);

/** Returns a handler for hooks of Codex and for the JSON it passes to its `notify` program. */
export const codexHandler = handlerOf(codexHooks);

/** Returns a handler for hooks of Gemini CLI. */
export const geminiHandler = handlerOf(geminiHooks);

/** Returns a handler for hooks of Cursor. */
export const cursorHandler = handlerOf(cursorHooks);

/** Line for the person when a session begins while the store of the loop cannot be read. */
const IN_MEMORY =
  'rsi: the store cannot be read, so records of this session are in memory and end with its server; "rsi doctor" says why';

export function handlerOf(format: HookFormat): OpenHandler {
  return (loop, options = {}) => {
    const sessions = new AgentSessions(loop, format.source, options);
    return (body) => {
      try {
        const event = format.read(body);
        if (event === undefined) return SILENT;
        const { advice, finding } = sessions.take(event);
        if (event.kind === 'session-started')
          return withMessage(format, adviceAnswer(format, body, advice), loop.hasLostStore ? IN_MEMORY : undefined);
        return loopAnswer(format, body, finding, options);
      } catch (error) {
        reportProblem(loop, 'hooks', `a hook of ${format.source} was not taken: ${String(error).slice(0, 200)}`);
        return SILENT;
      }
    };
  };
}

export interface EventResult {
  /** Rules of the session; only when it starts or is resumed. */
  readonly advice: readonly string[];
  /** Loop that the agent is in, if any. */
  readonly finding: LoopFinding | undefined;
}

/** Maximum number of sessions followed at the same time. Beyond it, the one that was silent longest is dropped. */
const MAX_SESSIONS = 1_000;
/** Maximum number of agents followed in one session. */
const MAX_AGENTS = 16;
/** Maximum number of steps followed in a session with a rule on trial. Beyond it, nothing says whether it was followed. */
const MAX_STEPS = 20_000;
const NO_ADVICE: readonly string[] = [];

interface Session {
  model?: string;
  turnStartedMs?: number;
  /** True if the turn was already recorded when the loop was detected. */
  turnTold: boolean;
  lastTurnFailed: boolean;
  task?: OpenTask;
  /** Rules on trial that the session got, what they ask for, and what its calls showed about that. */
  rules: readonly GivenRule[];
  demands: readonly Demand[];
  readonly steps: string[];
  readonly detectors: BoundedMap<LoopDetector>;
}

/** Follows the sessions of one kind of agent from event to event and records outcomes. */
export class AgentSessions {
  readonly #loop: RSILoop;
  readonly #source: string;
  readonly #options: HookOptions;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #namer = failureNamer();
  readonly #sessions = new BoundedMap<Session>(MAX_SESSIONS);
  #events = 0;

  constructor(loop: RSILoop, source: string, options: HookOptions = {}) {
    this.#loop = loop;
    this.#source = source;
    this.#options = options;
    this.#clock = options.clock ?? new SystemClock();
  }

  take(seen: AgentEvent): EventResult {
    const event = seen.kind === 'tool-ended' ? this.#withStated(seen) : seen;
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
          atMs: about.atMs,
          ...(event.failure && { error: event.failure.message }),
        });
        noteSteps(event, session);
        break;
      default:
    }
    const beside = event.kind === 'turn-ended' ? contextOf(session) : {};
    if (event.kind !== 'turn-ended' || !session.turnTold) this.#record(outcomeOf(event, session, about), beside);
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

  /** Returns the event with the failure that its result states, unless the loop accepts its kind. */
  #withStated<Event extends ToolEnded>(event: Event): Event {
    const stated = event.failure === undefined ? results.failureIn(this.#loop, parsed(event.result)) : undefined;
    if (stated === undefined) return event;
    const { message, name, code } = describeError(stated.error);
    return { ...event, failure: { message, ...given({ name, code }) } };
  }

  /** Begins the session's task. A resumed or compacted session keeps its task, and with it its arms. */
  #begin(event: AgentEvent, session: Session): readonly string[] {
    session.task ??= this.#loop.begin(SESSION, {
      session: event.session,
      source: this.#source,
      deadlineMs: SESSION_DEADLINE_MS,
      ...given({ model: session.model }),
    });
    session.rules = givenRules(this.#loop, session.task);
    session.demands = session.rules.flatMap(({ demands }) => demands);
    return session.task.advice;
  }

  #end(event: AgentEvent, session: Session): void {
    const end = { ...sessionEnd(session.lastTurnFailed), ...contextOf(session) };
    if (session.task) session.task.end({ ...end, endsSession: true });
    // The session began before this process started.
    else this.#loop.endSession(event.session, { ...end, source: this.#source });
    this.#sessions.delete(event.session);
  }

  #session(id: string): Session {
    const session: Session = this.#sessions.get(id) ?? {
      turnTold: false,
      lastTurnFailed: false,
      rules: [],
      demands: [],
      steps: [],
      detectors: new BoundedMap(MAX_AGENTS),
    };
    // Put again, so that the oldest entry is the one that was silent longest.
    this.#sessions.put(id, session);
    return session;
  }

  #detector({ agentId = '' }: AgentEvent, { detectors }: Session): LoopDetector {
    const known = detectors.get(agentId);
    if (known) return known;
    const detector = new LoopDetector(this.#options.detector);
    detectors.put(agentId, detector);
    return detector;
  }

  #record(outcome: EventOutcome | undefined, beside: Pick<EventOutcome, 'context'> = {}): void {
    if (outcome) this.#loop.observer.record(nameFailure({ ...outcome, ...beside }, this.#namer));
  }

  #unique(event: AgentEvent): string {
    const own = event.kind === 'tool-ended' ? event.callId : undefined;
    return own ?? `${event.session}-${(this.#events++).toString(36)}`;
  }
}

/** Notes what a call shows about the steps that the rules of its session ask for. */
function noteSteps({ tool, input, failure }: ToolEnded, { demands, steps }: Session): void {
  if (demands.length === 0 || steps.length >= MAX_STEPS) return;
  steps.push(...stepsOf({ tool, input: parsed(input), hasFailed: failure !== undefined }, demands));
}

function contextOf({ rules, demands, steps }: Session): Pick<EventOutcome, 'context'> {
  if (rules.length === 0 || steps.length >= MAX_STEPS) return {};
  const context = followedContext(rules, followed(demands, steps));
  return context ? { context } : {};
}
