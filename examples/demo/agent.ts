import type { RSILoop } from 'rsi-loop';
import { askModel } from './ask-model.js';

/** The demo's agent: five kinds of task, each one call of a model over real HTTP, each run through the loop. */
export class Agent {
  readonly #loop: RSILoop;
  readonly #url: string;
  #number = 0;

  constructor(loop: RSILoop, url: string) {
    this.#loop = loop;
    this.#url = url;
  }

  /** Does one task of the next kind. An agent goes on when a task fails; the loop has seen it. */
  async doNext(): Promise<void> {
    const number = this.#number++;
    try {
      await this.#do(DAY[number % DAY.length] ?? 'answer', number);
    } catch {
      // Counted by the loop. A real agent would tell its user here.
    }
  }

  #do(kind: Kind, number: number): Promise<unknown> {
    const { run } = this.#loop;
    switch (kind) {
      case 'answer': {
        // Half of the callers ask for one model first, half for the other.
        const models: [string, string] = number % 20 < 10 ? ['aurora', 'basalt'] : ['basalt', 'aurora'];
        const ask = (model: string, signal: AbortSignal) => this.#ask(`answer question ${number}`, model, signal);
        return run(kind, async ({ model, signal }) => JSON.parse(await ask(model, signal)), { models });
      }
      case 'translate':
        return run(kind, ({ signal }) => this.#ask(`translate letter ${number}`, 'basalt', signal), { timeoutMs: 700 });
      case 'triage':
        return run(kind, async ({ signal }) =>
          JSON.parse(await this.#ask(`triage ticket ${number}`, 'basalt', signal)),
        );
      case 'summarize':
      case 'search':
        return run(kind, ({ signal }) => this.#ask(`${kind} item ${number}`, 'basalt', signal));
      default:
        return kind satisfies never;
    }
  }

  #ask(prompt: string, model: string, signal: AbortSignal): Promise<string> {
    return askModel(this.#url, prompt, model, signal);
  }
}

type Kind = 'answer' | 'summarize' | 'translate' | 'triage' | 'search';

/** The agent's day, again and again: tickets come most often. */
const DAY: readonly Kind[] = [
  'triage',
  'answer',
  'summarize',
  'triage',
  'answer',
  'translate',
  'triage',
  'triage',
  'summarize',
  'search',
];
