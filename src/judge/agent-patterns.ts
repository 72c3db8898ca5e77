import { Hierarchy, type Members } from '../analyze/hierarchy.js';
import { LoopError } from '../contract/errors.js';
import { isNoEvidence } from '../contract/issue.js';
import type { Outcome } from '../contract/outcome.js';
import type { Pattern } from '../contract/pattern.js';
import { exportOutcomes } from '../live/export-outcomes.js';
import type { LoopHandle } from '../live/loop-parts.js';
import { readyParts } from './judged-parts.js';
import { analyzeDays, checkDays, DAY_MS } from './last-days.js';
import { readPeriod } from './read-period.js';
import { isOwn, withCauses } from './suggest-causes.js';

export interface AgentPatternsOptions extends Members {
  /** Length of the period, in days. Default 7. */
  readonly days?: number;
}

/** Number of outcomes and failures. */
export interface Ends {
  readonly outcomes: number;
  /** Each failure is counted once, where it began. */
  readonly failures: number;
}

export interface AgentFigures {
  readonly agent: string;
  /** The agent's own tasks, and calls inside them that name no agent. */
  readonly own: Ends;
  /** Own tasks plus everything inside them: sub-agents, their sub-agents, and their tools. */
  readonly team: Ends;
}

/** Patterns of agents that hand work to each other. */
export interface AgentPatterns extends Ends {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Failures that were caused by a failed task inside. Only the inner failure is counted. */
  readonly passedOn: number;
  /** Patterns, those with the most impact first. A failure belongs to the pattern of the task where it began. */
  readonly patterns: readonly Pattern[];
  /** All agents seen in the period, by name, regardless of the filter. */
  readonly agents: readonly AgentFigures[];
  /** Number of tasks whose children were evicted; usually 0. */
  readonly forgotten: number;
}

/**
 * Maximum number of agents with counts. With more agents than this, their names probably contain task or session ids.
 */
const MAX_AGENTS = 200;

/**
 * Returns the patterns of one agent, its team, a tool, or everything, following the `parent` links of outcomes.
 * A failure that propagated from a tool to its sub-agent and its agent counts once for each, and once in total. Reads
 * all stored outcomes of the period twice. Changes nothing.
 * @throws LoopError (as a rejection) `invalid-input` for days that are not above 0, or for both an agent and a team;
 * `store-failed` if the store cannot be read.
 */
export async function agentPatterns(loop: LoopHandle, options: AgentPatternsOptions = {}): Promise<AgentPatterns> {
  const { days = 7, ...members } = options;
  checkDays(days);
  if (members.agent !== undefined && members.team !== undefined)
    throw new LoopError('invalid-input', 'agent and team are both given: ask for one of them');
  const { ledger, store } = await readyParts(loop);
  const { untilMs } = await readPeriod(loop);
  const sinceMs = untilMs - days * DAY_MS;
  const hierarchy = new Hierarchy();
  for await (const outcome of exportOutcomes({ store }, { sinceMs })) hierarchy.add(outcome);

  const views = viewsOf(hierarchy, members);
  const analyzer = await analyzeDays(countInto(views, exportOutcomes({ store }, { sinceMs })), days);
  const patterns = withCauses(analyzer.patterns(untilMs), ledger.state.causes).filter((pattern) => !isOwn(pattern));
  const { ends, passedOn } = views.asked;
  return { sinceMs, untilMs, ...ends, passedOn, patterns, agents: views.agents(), forgotten: hierarchy.forgotten };
}

/** Counts every outcome in every view, and yields those that were asked for. */
async function* countInto({ all, asked }: Views, outcomes: AsyncIterable<Outcome>): AsyncGenerator<Outcome> {
  for await (const outcome of outcomes) {
    for (const view of all) view.count(outcome);
    if (!asked.has(outcome)) continue;
    // It stays in the denominator of its task but is not a failure of its own.
    yield asked.isPassedOn(outcome) ? withoutFailure(outcome) : outcome;
  }
}

/** Filter on tasks, with counts of outcomes and failures. */
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
    if (isNoEvidence(outcome.issues) || !this.has(outcome)) return;
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
