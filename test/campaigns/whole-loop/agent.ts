import type { RSILoop } from 'rsi-loop';
import { askModel } from '../../../examples/demo/ask-model.js';
import { type Kind, MODELS } from './faults.js';

/** How one task ended, as the host sees it. */
export interface Done {
  readonly kind: Kind;
  readonly success: boolean;
}

/** An agent that has five kinds of tasks, each one call of a model over real HTTP, each run through the loop. */
export class Agent {
  readonly #loop: RSILoop;
  readonly #url: string;

  constructor(loop: RSILoop, url: string) {
    this.#loop = loop;
    this.#url = url;
  }

  /** A few calls outside the loop, so that neither process is cold when it counts. */
  async warmUp(): Promise<void> {
    for (let call = 0; call < WARM_UP_CALLS; call++) {
      await this.#ask(`hello ${call}`, MODELS.usual, new AbortController().signal);
    }
  }

  /** Does one task; an agent goes on when a task fails. `number` tells tasks of a kind apart. */
  async do(kind: Kind, number: number): Promise<Done> {
    let success = false;
    const models = modelsOf(kind, number);
    const timeoutMs = kind === 'translate' ? TRANSLATE_TIMEOUT_MS : 0;
    const work = async ({ model, signal }: { readonly model: string; readonly signal: AbortSignal }) => {
      const text = await this.#ask(`${kind} ${number}`, model, signal);
      if (kind === 'answer') JSON.parse(text);
      return text;
    };
    const onEnd = (end: { readonly success: boolean }) => {
      success = end.success;
    };
    await this.#loop.run(kind, work, { models, timeoutMs, onEnd }).catch(() => undefined);
    return { kind, success };
  }

  #ask(prompt: string, model: string, signal: AbortSignal): Promise<string> {
    return askModel(this.#url, prompt, model, signal);
  }
}

const WARM_UP_CALLS = 10;
/** Time that a person waits for a translation. */
const TRANSLATE_TIMEOUT_MS = 1_500;

/** Callers of `answer` can ask each of three models, a third of them one first; the others ask one. */
function modelsOf(kind: Kind, number: number): readonly [string, ...string[]] {
  const { index, usual, bad, third } = MODELS;
  if (kind === 'index') return [index];
  if (kind !== 'answer') return [usual];
  const orders: readonly [string, ...string[]][] = [
    [bad, usual, third],
    [usual, third, bad],
  ];
  return orders[number % 3] ?? [third, bad, usual];
}
