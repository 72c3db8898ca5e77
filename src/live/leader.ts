import type { Coordination, Lease } from '../contract/coordination.js';

/** Leadership of one process among those that share a store. Only the leader decides. */
export class Leader {
  #lease: Lease | undefined;

  /** Returns whether this process leads. Takes the lead if no living process has it, and keeps it until it is lost. */
  async leads(coordination: Pick<Coordination, 'lease'>): Promise<boolean> {
    if (await this.holds()) return true;
    this.#lease = await coordination.lease('cycle');
    return this.#lease !== undefined;
  }

  /** Returns whether this process still leads, without taking the lead. */
  async holds(): Promise<boolean> {
    return (await this.#lease?.held()) ?? false;
  }

  async release(): Promise<void> {
    await this.#lease?.release();
  }
}
