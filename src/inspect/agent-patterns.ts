import { Hierarchy, type Members } from '../analyze/hierarchy.js';
import { LoopError } from '../contract/errors.js';
import type { Outcome } from '../contract/outcome.js';
import type { Pattern } from '../contract/pattern.js';
import { type LoopHandle, readyComponents } from '../engine/internals.js';
import { isOwn, withCauses } from '../engine/suggest-causes.js';
import { exportOutcomes } from './export-outcomes.js';
import { analyzeDays, checkDays, DAY_MS } from './last-days.js';

export interface AgentPatternsOptions extends Members {
  /** How far back, in days. Default 7. */
  readonly days?: number;
}

/** How often something ended and failed. */
export interface Ends {
  readonly outcomes: number;
  /** Each counted once, where it began. */
  readonly failures: number;
}

export interface AgentFigures {
  readonly agent: string;
  /** Its own tasks, and what it called that names no agent. */
  readonly own: Ends;
  /** The same with everything inside: its sub-agents, theirs, and their tools. */
  readonly team: Ends;
}

export interface AgentPatterns extends Ends {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Failures of tasks that failed because of one inside of them, which is counted instead. */
  readonly passedOn: number;
  /** The costliest first. A failure is part of the pattern of the task where it began. */
  readonly patterns: readonly Pattern[];
  /** Every agent that was named in that time, by name, whoever was asked for. */
  readonly agents: readonly AgentFigures[];
  /** Tasks that were too many to know what ran inside them; 0 nearly always. */
  readonly forgotten: number;
}

/** Agents whose figures are counted; whoever has more names them by task or session. */
const MAX_AGENTS = 200;

/**
 * Returns the patterns of one agent, of its team, of a tool, or over all, along the `parent` links of outcomes. A failure
 * that went up from a tool to its sub-agent and to its agent is one for each of them, and one over all. Reads everything
 * the store still holds of that time, twice, and changes nothing.
 * @throws LoopError `invalid-input` (as a rejection) for days that are not above 0, or for both an agent and a team;
 * `store-failed` when the store cannot be read.
 */
export async function agentPatterns(loop: LoopHandle, options: AgentPatternsOptions = {}): Promise<AgentPatterns> {
  const { days = 7, ...members } = options;
  checkDays(days);
  if (members.agent !== undefined && members.team !== undefined)
    throw new LoopError('invalid-input', 'agent and team are both given: ask for one of them');
  const { clock, ledger, store } = await readyComponents(loop);
  const untilMs = clock.now();
  const sinceMs = untilMs - days * DAY_MS;
  const hierarchy = new Hierarchy();
  for await (const outcome of exportOutcomes({ store }, { sinceMs })) hierarchy.add(outcome);

  const views = viewsOf(hierarchy, members);
  const analyzer = await analyzeDays(countInto(views, exportOutcomes({ store }, { sinceMs })), days);
  const patterns = withCauses(analyzer.patterns(untilMs), ledger.state.causes).filter((pattern) => !isOwn(pattern));
  const { ends, passedOn } = views.asked;
  return { sinceMs, untilMs, ...ends, passedOn, patterns, agents: views.agents(), forgotten: hierarchy.forgotten };
}

/** Counts every outcome in every view, and hands on those that were asked about. */
async function* countInto({ all, asked }: Views, outcomes: AsyncIterable<Outcome>): AsyncGenerator<Outcome> {
  for await (const outcome of outcomes) {
    for (const view of all) view.count(outcome);
    if (!asked.has(outcome)) continue;
    // It stays in the denominator of its task, and is no failure of its own.
    yield asked.isPassedOn(outcome) ? withoutFailure(outcome) : outcome;
  }
}

/** Whose tasks are counted, and how many ended and failed. */
class View {
  readonly #hierarchy: Hierarchy;
  readonly #members: Members;
  readonly #passedOn: ReadonlySet<string>;
  #outcomes = 0;
  #failures = 0;
  passedOn = 0;

  constructor(hierarchy: Hierarchy, members: Members) {
    this.#hierarchy = hierarchy;
    this.#members = members;
    this.#passedOn = hierarchy.passedOn(members);
  }

  get ends(): Ends {
    return { outcomes: this.#outcomes, failures: this.#failures };
  }

  has({ id }: Outcome): boolean {
    const { agent, team, tool } = this.#members;
    return (agent ?? team ?? tool) === undefined || this.#hierarchy.has(id, this.#members);
  }

  isPassedOn({ id }: Outcome): boolean {
    return this.#passedOn.has(id);
  }

  count(outcome: Outcome): void {
    if (outcome.issues.includes('cancelled') || !this.has(outcome)) return;
    const weight = outcome.weight ?? 1;
    this.#outcomes += weight;
    if (outcome.success) return;
    if (this.isPassedOn(outcome)) this.passedOn += weight;
    else this.#failures += weight;
  }
}

type Views = ReturnType<typeof viewsOf>;

function viewsOf(hierarchy: Hierarchy, members: Members) {
  const asked = new View(hierarchy, members);
  const agents = hierarchy.agents().slice(0, MAX_AGENTS);
  const own = agents.map((agent) => ({
    agent,
    own: new View(hierarchy, { agent }),
    team: new View(hierarchy, { team: agent }),
  }));
  return {
    asked,
    all: [asked, ...own.flatMap((view) => [view.own, view.team])],
    agents: (): readonly AgentFigures[] =>
      own.map((view) => ({ agent: view.agent, own: view.own.ends, team: view.team.ends })),
  };
}

function withoutFailure({ error: _, fingerprint: __, ...outcome }: Outcome): Outcome {
  return { ...outcome, success: true, issues: [] };
}
