import { classifyError, type Issue, type Policy, type RSILoop, type TaskEnd } from 'rsi-loop';
import type { SimulatedClock } from './simulated-clock.js';
import { FAILURES, type Failure, type Moment, STEPS, type Step } from './world.js';

type Attempts = NonNullable<TaskEnd['attempts']>;

/** Agent of the demo: works on one invoice per session, under the settings and rules that the loop gives it. */
export class InvoiceAgent {
  readonly #loop: RSILoop;
  readonly #clock: SimulatedClock;
  readonly #random: () => number;
  /** Start of the simulated week, epoch milliseconds. */
  readonly #sinceMs: number;
  #invoices = 0;

  constructor(options: { loop: RSILoop; clock: SimulatedClock; random: () => number; sinceMs: number }) {
    this.#loop = options.loop;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#sinceMs = options.sinceMs;
  }

  /** Works on the next invoice. Yields after each step, so that live work can be spread over time. */
  *invoice(): Generator<void> {
    const number = 41_000 + this.#invoices++;
    const session = `invoice-${number}`;
    const isLong = this.#random() < 0.3;
    for (const [index, step] of STEPS.entries()) {
      this.#work(step, { session, number, isLong, isLast: index === STEPS.length - 1 });
      yield;
    }
  }

  #work(step: Step, invoice: { session: string; number: number; isLong: boolean; isLast: boolean }): void {
    const { task, tool } = step;
    const model = step.models?.[invoice.isLong ? 1 : 0];
    const open = this.#loop.begin(task, {
      // Arms are drawn by id and session: the same at every start.
      id: `${invoice.session}-${task}`,
      session: invoice.session,
      agent: 'invoices',
      source: 'invoice-agent',
      idempotent: true,
      ...(model !== undefined && { model }),
      ...(tool !== undefined && { tool }),
    });
    const moment: Moment = { day: (this.#clock.now() - this.#sinceMs) / DAY_MS, model, advice: open.advice };
    const { attempts, failure } = this.#attempt(step, moment, open.policy);
    const durationMs = attempts.reduce((sum, { delayMs, durationMs: tookMs }) => sum + delayMs + tookMs, 0);
    this.#clock.pass(durationMs);
    const input = model === undefined ? 0 : Math.round(2_400 * this.#spread() * attempts.length);
    const output = model === undefined ? 0 : Math.round(320 * this.#spread());
    const price = step.prices?.[invoice.isLong ? 1 : 0] ?? 0;
    open.end({
      success: failure === undefined,
      ...(failure && { error: failure.message(invoice.number) }),
      ...(failure?.issue && { issues: [failure.issue] }),
      attempts,
      durationMs,
      ...(model !== undefined && { tokens: { input, output }, costUsd: (input + 5 * output) * price }),
      ...(invoice.isLast && { endsSession: true }),
    });
  }

  /** Tries a step as often as the settings in force allow. */
  #attempt(step: Step, moment: Moment, policy: Policy): { attempts: Attempts; failure: Failure | undefined } {
    const attempts: Attempts[number][] = [];
    const possible = FAILURES.filter(({ task }) => task === step.task);
    let lasting: Failure | undefined;
    for (let number = 0; ; number++) {
      const failure = lasting ?? possible.find((one) => this.#random() < one.rate(moment, policy));
      if (failure && this.#random() < failure.lasting) lasting = failure;
      const issue = failure && (failure.issue ?? classifyError(failure.message(0)).category);
      const tookMs = Math.round((failure?.tookMs ?? step.tookMs) * this.#spread());
      const delayMs = number === 0 ? 0 : Math.round(200 * 2 ** number * this.#random());
      attempts.push({
        delayMs,
        durationMs: tookMs,
        success: failure === undefined,
        ...(moment.model !== undefined && { model: moment.model }),
        ...(issue && { issue }),
      });
      if (issue === undefined || number >= retriesAfter(issue, policy)) return { attempts, failure };
    }
  }

  /** Returns a factor around 1, sometimes much larger: approximately log-normal. */
  #spread(): number {
    return Math.exp(0.6 * (this.#random() + this.#random() + this.#random() + this.#random() - 2) * Math.sqrt(3));
  }
}

function retriesAfter(issue: Issue, policy: Policy): number {
  const setting = `retries.${issue}`;
  const value = setting in policy ? policy[setting as keyof Policy] : 0; // the line above shows that it is a key
  return typeof value === 'number' ? value : 0;
}

const DAY_MS = 86_400_000;
