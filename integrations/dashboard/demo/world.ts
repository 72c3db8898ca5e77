import type { Policy } from 'rsi-loop';
import type { NamedIssue } from 'rsi-loop/kit';

/** Step of the work on one invoice. */
export interface Step {
  readonly task: string;
  readonly tool?: string;
  /** Model for short and for long invoices, with the price of a token in US dollars. */
  readonly models?: readonly [string, string];
  readonly prices?: readonly [number, number];
  readonly tookMs: number;
}

export const STEPS: readonly Step[] = [
  { task: 'extract_fields', models: ['haiku-4.5', 'sonnet-4.5'], prices: [1e-6, 3e-6], tookMs: 2_600 },
  { task: 'match_order', tool: 'erp.search', tookMs: 450 },
  { task: 'post_invoice', tool: 'erp.post', tookMs: 700 },
  { task: 'write_mail', models: ['haiku-4.5', 'haiku-4.5'], prices: [1e-6, 1e-6], tookMs: 1_900 },
  { task: 'send_mail', tool: 'mail.send', tookMs: 300 },
];

/** Circumstances of one attempt. */
export interface Moment {
  /** Days since the begin of the simulated week. */
  readonly day: number;
  readonly model: string | undefined;
  /** Rules that the session was given. */
  readonly advice: readonly string[];
}

/** Cause of failures in the simulated world. */
export interface Failure {
  readonly task: string;
  readonly message: (invoice: number) => string;
  /** Share of the attempts that fail. */
  readonly rate: (moment: Moment, policy: Policy) => number;
  /** Share of the failures that another attempt does not help against, 0 to 1. */
  readonly lasting: number;
  readonly tookMs?: number;
  /** Class that the agent names itself. Default: the class of the message. */
  readonly issue?: NamedIssue;
}

/** Day on which the connection to the order system becomes unstable. */
const UNSTABLE_DAY = 0.9;
/** Day on which release 2.4.0 of the agent begins to send invoices without a field. */
export const BAD_DEPLOY_DAY = 3.4;
/** Day on which the model server begins to cut answers. */
export const CUT_ANSWERS_DAY = 6.6;

/** Hour of the simulated agent at which the week begins and ends, so that the demo opens in office hours. */
const FIRST_HOUR = 15;

/** Returns whether people are at work. Independent of the real time of day, so that each demo tells the same story. */
export function isBusy(day: number): boolean {
  const hour = (FIRST_HOUR + 24 * day) % 24;
  return hour >= 7 && hour < 19;
}

export const FAILURES: readonly Failure[] = [
  {
    task: 'match_order',
    message: (invoice) => `erp.search for INV-${invoice}: read ECONNRESET`,
    rate: ({ day }) => (day >= UNSTABLE_DAY ? 0.24 : 0.01),
    lasting: 0.25,
    tookMs: 60,
  },
  {
    task: 'post_invoice',
    message: (invoice) => `erp.post rejected INV-${invoice}: 422 Unprocessable Entity, field "tax_code" is required`,
    rate: ({ day }) => (day >= BAD_DEPLOY_DAY ? 0.3 : 0),
    lasting: 1,
    tookMs: 260,
  },
  {
    task: 'send_mail',
    message: () => 'mail.send: request timed out after 10000 ms',
    rate: ({ day }) => (day < 5 ? 0.12 : 0.05),
    lasting: 1,
    tookMs: 10_000,
  },
  {
    task: 'extract_fields',
    message: () => '429 Too Many Requests: rate limit of 40,000 input tokens per minute exceeded',
    // Waiting for the reset that the provider announces avoids most of them.
    rate: ({ day, model }, policy) =>
      (model === 'sonnet-4.5' && isBusy(day) ? 0.25 : 0) * (policy['limit.resetMs'] > 0 ? 0.2 : 1),
    lasting: 0.7,
    tookMs: 90,
  },
  {
    task: 'extract_fields',
    message: (invoice) => `check of INV-${invoice} failed: the total is the net amount, expected the gross amount`,
    issue: 'wrong_output',
    // The rule that the loop proposes asks the agent to compare its result with the request.
    rate: ({ advice }) => (advice.some((rule) => rule.includes('compare the result')) ? 0.03 : 0.1),
    lasting: 1,
  },
  {
    task: 'write_mail',
    message: () => 'model returned an empty response',
    rate: ({ day }) => (day >= CUT_ANSWERS_DAY ? 0.14 : 0),
    lasting: 0.3,
    tookMs: 900,
  },
];
