import { isNoEvidence } from '../contract/issue.js';
import type { Outcome } from '../contract/outcome.js';

/** Limit on remembered tasks. Beyond it, the oldest are dropped. */
const MAX_NODES = 200_000;
/** Maximum nesting followed upwards. Also ends a cycle of parents. */
const MAX_DEPTH = 32;

interface Node {
  readonly parent: string | undefined;
  readonly agent: string | undefined;
  readonly tool: string | undefined;
  readonly failed: boolean;
  readonly atMs: number;
}

/** Filter on the tasks considered. Default all. */
export interface Members {
  /** Tasks of this agent, and its calls that name no agent. */
  readonly agent?: string;
  /** Tasks of this agent and everything inside them: its sub-agents, theirs, and their tools. */
  readonly team?: string;
  /** Calls of this tool. */
  readonly tool?: string;
}

/** Task hierarchy: which task ran inside which, and where each failure began. */
export class Hierarchy {
  readonly #nodes = new Map<string, Node>();
  #forgotten = 0;

  /** Number of tasks beyond the limit. Tasks that ran inside them count separately. */
  get forgotten(): number {
    return this.#forgotten;
  }

  add({ id, parent, agent, tool, success, issues, atMs }: Outcome): void {
    const failed = !success && !isNoEvidence(issues);
    this.#nodes.set(id, { parent: parent === id ? undefined : parent, agent, tool, failed, atMs });
    if (this.#nodes.size <= MAX_NODES) return;
    for (const oldest of this.#nodes.keys()) {
      this.#nodes.delete(oldest);
      this.#forgotten++;
      return;
    }
  }

  /** Returns the names of all agents, sorted. */
  agents(): readonly string[] {
    const names = new Set<string>();
    for (const { agent } of this.#nodes.values()) if (agent !== undefined) names.add(agent);
    return [...names].sort();
  }

  has(id: string, { agent, team, tool }: Members): boolean {
    if (tool !== undefined && this.#nodes.get(id)?.tool !== tool) return false;
    if (agent !== undefined && this.#agentOf(id) !== agent) return false;
    return team === undefined || this.#isInside(id, team);
  }

  /**
   * Returns failures of members that are already counted through a failed member inside them. Everything in between
   * must have failed, too. A task that succeeded despite a failure inside passes nothing on.
   */
  passedOn(members: Members): ReadonlySet<string> {
    const passed = new Set<string>();
    for (const [id, node] of this.#nodes) {
      if (!node.failed || !this.has(id, members)) continue;
      for (const { id: above } of this.#failedAbove(node)) {
        // Everything from here upwards was added before.
        if (passed.has(above)) break;
        if (this.has(above, members)) passed.add(above);
      }
    }
    return passed;
  }

  /** Yields enclosing tasks that failed at the same time or later, up to the first that did not. */
  *#failedAbove(node: Node): Generator<{ readonly id: string }> {
    let below = node;
    for (let depth = 0; depth < MAX_DEPTH && below.parent !== undefined; depth++) {
      const id = below.parent;
      const above = this.#nodes.get(id);
      if (!above?.failed || above.atMs < below.atMs) return;
      yield { id };
      below = above;
    }
  }

  /** Returns the agent of the task, or of the nearest enclosing task that names one. */
  #agentOf(id: string): string | undefined {
    for (const { agent } of this.#upFrom(id)) if (agent !== undefined) return agent;
    return undefined;
  }

  #isInside(id: string, team: string): boolean {
    for (const { agent } of this.#upFrom(id)) if (agent === team) return true;
    return false;
  }

  *#upFrom(id: string): Generator<Node> {
    let at: string | undefined = id;
    for (let depth = 0; depth <= MAX_DEPTH && at !== undefined; depth++) {
      const node = this.#nodes.get(at);
      if (!node) return;
      yield node;
      at = node.parent;
    }
  }
}
