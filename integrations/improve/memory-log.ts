import type { ImprovementLog } from 'rsi-loop/kit';
import type { ImprovementStep } from './improvement-step.js';

/** Log in memory: an interrupted improvement can continue within this process. */
export class MemoryLog implements ImprovementLog<ImprovementStep> {
  readonly #steps = new Map<string, ImprovementStep[]>();

  async load(improvement: string): Promise<readonly ImprovementStep[]> {
    return this.#steps.get(improvement) ?? [];
  }

  async add(improvement: string, step: ImprovementStep): Promise<void> {
    this.#steps.set(improvement, [...(this.#steps.get(improvement) ?? []), step]);
  }
}
