import type { ErrorCategory } from '../../../src/contract/issue.js';
import { seededRandom } from '../../../src/lib/random.js';
import { bursts, daily, steady } from './arrivals.js';
import { about, atMostAtOnce, atRandom, degrading, hanging, heavy, inStretches, quota, says } from './providers.js';
import type { Way, World } from './world.js';

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];
const MAY_REPEAT = { idempotent: true } as const;
const ONE_MODEL = { models: ['gpt'] } as const;

function retry(issue: ErrorCategory): readonly Way[] {
  return [{ [`retries.${issue}`]: 2 }, { [`retries.${issue}`]: 4 }];
}

/** Ways around a quota: the refused call waits, or all callers do. */
const FOR_A_QUOTA: readonly Way[] = [
  { 'retries.rate_limit': 2 },
  { 'retries.rate_limit': 4, 'backoff.baseMs': 1_000, 'backoff.maxMs': 20_000 },
  { 'retries.rate_limit': 2, 'limit.resetMs': 20_000 },
  { 'limit.resetMs': 60_000 },
];
const all = () => 'account';
const byModel = ({ model = '' }: { readonly model: string | undefined }) => model;
const byCustomer = ({ customer }: { readonly customer: number }) => customer;

/** Refusals at random, which do not depend on the load. */
const RANDOM: readonly World[] = [
  {
    name: '429 at random, 2/s of 30 s, not repeatable',
    tasks: 6_000,
    arrivals: steady(2),
    provider: () => atRandom(0.03, says.tooMany, about(30 * SECOND_MS)),
    ...ONE_MODEL,
  },
  {
    name: '429 at random, 2/s of 30 s',
    tasks: 6_000,
    arrivals: steady(2),
    provider: () => atRandom(0.03, says.tooMany, about(30 * SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: retry('rate_limit') },
  },
  {
    name: '429 at random, 20/s of 0.5 s',
    tasks: 10_000,
    arrivals: steady(20),
    provider: () => atRandom(0.03, says.tooMany, about(500)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: retry('rate_limit') },
  },
  {
    name: '429 at random, 20/s of 0.5 s, not repeatable',
    tasks: 10_000,
    arrivals: steady(20),
    provider: () => atRandom(0.03, says.tooMany, about(500)),
    ...ONE_MODEL,
  },
  {
    name: '429 at random, 50/s of 0.2 s, bursts',
    tasks: 10_000,
    arrivals: bursts(25, 500),
    provider: () => atRandom(0.05, says.tooMany, heavy(100)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: retry('rate_limit') },
  },
  {
    name: '429 at random with Retry-After 30 s, 1/s of 8 s',
    tasks: 6_000,
    arrivals: steady(1),
    provider: () => atRandom(0.04, says.tooManyUntil, about(8 * SECOND_MS), 30_000),
    ...{ ...ONE_MODEL, host: MAY_REPEAT },
  },
  {
    name: '429 at random with Retry-After 5 s, 1/s of 8 s',
    tasks: 6_000,
    arrivals: steady(1),
    provider: () => atRandom(0.04, says.tooManyUntil, about(8 * SECOND_MS), 5_000),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: retry('rate_limit') },
  },
  {
    name: 'resets at random, 0.1/s of 3 s',
    tasks: 6_000,
    arrivals: steady(0.1),
    provider: () => atRandom(0.06, says.reset, about(3 * SECOND_MS)),
    ...{ host: MAY_REPEAT, ways: retry('network') },
  },
  {
    name: 'resets at random, 200/s of 0.2 s',
    tasks: 12_000,
    arrivals: steady(200),
    provider: () => atRandom(0.05, says.reset, about(200)),
    ...{ host: MAY_REPEAT, ways: retry('network') },
  },
  {
    name: 'resets at random, two processes, 5/s of 1 s',
    tasks: 8_000,
    arrivals: steady(5),
    provider: () => atRandom(0.05, says.reset, heavy(SECOND_MS)),
    ...{ host: MAY_REPEAT, processes: 2, ways: retry('network') },
  },
  {
    name: 'resets at random, three nested tasks, 2/s of 2 s',
    tasks: 5_000,
    arrivals: steady(2),
    provider: () => atRandom(0.06, says.reset, about(2 * SECOND_MS)),
    ...{ host: MAY_REPEAT, depth: 2, ways: retry('network') },
  },
  {
    name: '503 at random, daily, 2/s of 5 s, heavy tail',
    tasks: 8_000,
    arrivals: daily(2, 2 * HOUR_MS),
    provider: () => atRandom(0.04, says.busy, heavy(2 * SECOND_MS)),
    ...{ host: MAY_REPEAT, ways: retry('server_error') },
  },
  {
    name: '503 with Retry-After 15 s in a header, 0.1/s of 0.5 s',
    tasks: 6_000,
    arrivals: steady(0.1),
    provider: () => atRandom(0.06, says.busyUntil, about(500), 15_000),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: [{ 'retries.server_error': 2, 'backoff.maxMs': 20_000 }] },
  },
  {
    name: '503 with Retry-After 3 s in words, 5/s of 1 s',
    tasks: 8_000,
    arrivals: steady(5),
    provider: () => atRandom(0.04, says.busyInWords, about(SECOND_MS), 3_000),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: retry('server_error') },
  },
  {
    name: '503 with Retry-After 3 s in a header, 50/s of 0.2 s, not repeatable',
    tasks: 10_000,
    arrivals: steady(50),
    provider: () => atRandom(0.04, says.busyUntil, about(200), 3_000),
    ...ONE_MODEL,
  },
  {
    name: 'nothing fails, 20/s of 1 s, heavy tail',
    tasks: 6_000,
    arrivals: steady(20),
    provider: () => atRandom(0, says.busy, heavy(SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT },
  },
];

/** True quotas of a model, a customer or the account. */
const QUOTAS: readonly World[] = [
  {
    name: 'quota of a model 28/min, demand 23/min, steady, Retry-After',
    tasks: 6_000,
    arrivals: steady(23 / 60),
    provider: () => quota({ perMinute: 28, size: 5 }, byModel, says.tooManyUntil, about(SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of a model 60/min, demand 50/min, bursts, nothing announced',
    tasks: 6_000,
    arrivals: bursts(10, 12 * SECOND_MS),
    provider: () => quota({ perMinute: 60, size: 10 }, byModel, says.tooMany, about(2 * SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of a model 60/min, demand 30/min, bursts, not repeatable',
    tasks: 6_000,
    arrivals: bursts(10, 20 * SECOND_MS),
    provider: () => quota({ perMinute: 60, size: 10 }, byModel, says.tooMany, about(2 * SECOND_MS)),
    ...{ ...ONE_MODEL, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of a model 60/min, demand 120/min, steady: half is refused',
    tasks: 8_000,
    arrivals: steady(2),
    provider: () => quota({ perMinute: 60, size: 10 }, byModel, says.tooManyUntil, about(SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of 10/min stated in words, 8/min of 0.8 s',
    tasks: 5_000,
    arrivals: steady(8 / 60),
    provider: () => quota({ perMinute: 10, size: 3 }, byModel, says.perMinute(10), about(800)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of 10/min stated in words, daily, not repeatable',
    tasks: 5_000,
    arrivals: daily(7 / 60, 4 * HOUR_MS),
    provider: () => quota({ perMinute: 10, size: 3 }, byModel, says.perMinute(10), about(800)),
    ...{ ...ONE_MODEL, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of each customer 60/min in words, 20 customers, 5/s, one above it',
    tasks: 8_000,
    arrivals: steady(5),
    // Every other task of the first 12 customers counts as one of customer 0.
    provider: () => quota({ perMinute: 60, size: 10 }, busyCustomer, says.perMinute(60), about(SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, customers: 20, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of each customer 60/min in words, 20 customers, 5/s, not repeatable',
    tasks: 8_000,
    arrivals: steady(5),
    provider: () => quota({ perMinute: 60, size: 10 }, busyCustomer, says.perMinute(60), about(SECOND_MS)),
    ...{ ...ONE_MODEL, customers: 20 },
  },
  {
    name: 'quota of each customer with Retry-After, 10 customers, bursts',
    tasks: 8_000,
    arrivals: bursts(20, 10 * SECOND_MS),
    provider: () => quota({ perMinute: 15, size: 4 }, byCustomer, says.tooManyUntil, about(2 * SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, customers: 10, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of the account 300/min, daily, 4/s, two models',
    tasks: 8_000,
    arrivals: daily(4, HOUR_MS),
    provider: () => quota({ perMinute: 300, size: 20 }, all, says.tooMany, about(SECOND_MS)),
    ...{ models: ['gpt', 'mini'], ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of the account 300/min, two processes, bursts',
    tasks: 8_000,
    arrivals: bursts(20, 5 * SECOND_MS),
    provider: () => quota({ perMinute: 300, size: 20 }, all, says.tooManyUntil, about(SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, processes: 2, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of the account 600/min, batches of 100 every 15 s',
    tasks: 8_000,
    arrivals: bursts(100, 15 * SECOND_MS),
    provider: () => quota({ perMinute: 600, size: 50 }, all, says.tooManyUntil, about(500)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of the account 12000/min, 200/s of 0.2 s, bursts',
    tasks: 12_000,
    arrivals: bursts(100, 500),
    provider: () => quota({ perMinute: 12_000, size: 200 }, all, says.tooMany, about(200)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: FOR_A_QUOTA },
  },
  {
    name: 'quota of a model 60/min, three nested tasks, bursts',
    tasks: 5_000,
    arrivals: bursts(8, 12 * SECOND_MS),
    provider: () => quota({ perMinute: 60, size: 8 }, byModel, says.tooManyUntil, about(SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, depth: 2, ways: FOR_A_QUOTA },
  },
];

/** Providers that refuse because of the load, or with a reason that lasts. */
const LOADED: readonly World[] = [
  {
    name: '8 places of 8 s, 1/s: refusals cost nothing',
    tasks: 6_000,
    arrivals: steady(1),
    provider: () => atMostAtOnce(8, says.tooMany, about(8 * SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: FOR_A_QUOTA },
  },
  {
    name: '8 places of 8 s, 0.7/s, not repeatable',
    tasks: 6_000,
    arrivals: steady(0.7),
    provider: () => atMostAtOnce(8, says.tooMany, about(8 * SECOND_MS)),
    ...{ ...ONE_MODEL, ways: [{ 'limit.concurrency': 8 }] },
  },
  {
    name: 'a cascade, 10/s of 2 s at 20 places, 503',
    tasks: 8_000,
    arrivals: steady(10),
    provider: () => atMostAtOnce(20, says.busy, about(2 * SECOND_MS), true),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: retry('server_error') },
  },
  {
    name: 'a cascade, bursts of 10 of 1 s at 12 places, 429',
    tasks: 6_000,
    arrivals: bursts(10, 4 * SECOND_MS),
    provider: () => atMostAtOnce(12, says.tooMany, about(SECOND_MS), true),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: FOR_A_QUOTA },
  },
  {
    name: 'a cascade, 50/s of 0.2 s at 12 places, not repeatable',
    tasks: 10_000,
    arrivals: steady(50),
    provider: () => atMostAtOnce(12, says.busyUntil, heavy(100), true),
    ...ONE_MODEL,
  },
  {
    name: '503 in stretches of 30 s, 2/s of 1 s',
    tasks: 8_000,
    arrivals: steady(2),
    provider: (random) =>
      inStretches(random, { everyMs: 10 * MINUTE_MS, lastMs: 30 * SECOND_MS, share: 0.5 }, says.busy, about(SECOND_MS)),
    ...{ host: MAY_REPEAT, ways: retry('server_error') },
  },
  {
    name: '503 in stretches of 5 min with Retry-After, 1/s of 1 s',
    tasks: 8_000,
    arrivals: steady(1),
    provider: (random) =>
      inStretches(
        random,
        { everyMs: 20 * MINUTE_MS, lastMs: 5 * MINUTE_MS, share: 0.9 },
        says.busyUntil,
        about(SECOND_MS),
      ),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: retry('server_error') },
  },
  {
    name: 'calls that hang, 1/s of 2 s, caller gives 60 s',
    tasks: 6_000,
    arrivals: steady(1),
    provider: () => hanging(0.05, about(2 * SECOND_MS)),
    ...{ host: MAY_REPEAT, timeoutMs: 60_000, ways: [{ 'timeout.attemptMs': 10_000, 'retries.timeout': 1 }] },
  },
  {
    name: 'calls that hang, 10/s of 1 s, caller gives 30 s',
    tasks: 8_000,
    arrivals: steady(10),
    provider: () => hanging(0.04, heavy(500)),
    ...{ host: MAY_REPEAT, timeoutMs: 30_000, ways: [{ 'timeout.attemptMs': 14_000, 'retries.timeout': 1 }] },
  },
  {
    name: 'calls that hang beside valid work of 90 s, caller gives 120 s',
    tasks: 8_000,
    arrivals: steady(1 / 30),
    provider: () => {
      const [hangs, large] = [hanging(0.06, about(2 * SECOND_MS)), about(80 * SECOND_MS, 0.05)];
      return (call) => (seededRandom(call.task)() < 0.02 ? { takesMs: large(call.luck) } : hangs(call));
    },
    ...{ host: MAY_REPEAT, timeoutMs: 120_000 },
  },
  {
    name: 'calls that hang, 2/s, not repeatable',
    tasks: 6_000,
    arrivals: steady(2),
    provider: () => hanging(0.05, about(2 * SECOND_MS)),
    timeoutMs: 30_000,
  },
  {
    name: 'a provider that becomes four times as slow, 2/s of 5 s',
    tasks: 6_000,
    arrivals: steady(2),
    provider: () => degrading(4, 6_000, about(5 * SECOND_MS)),
    ...{ ...ONE_MODEL, host: MAY_REPEAT, timeoutMs: 30_000 },
  },
  {
    name: 'a provider that becomes twice as slow, 429 at random, daily, 1/s of 20 s',
    tasks: 6_000,
    arrivals: daily(1, HOUR_MS),
    provider: () => {
      const [slow, refuses] = [degrading(2, 6_000, about(20 * SECOND_MS)), atRandom(0.03, says.tooMany, about(1))];
      return (call) => (refuses(call).error ? refuses({ ...call, luck: () => 0 }) : slow(call));
    },
    ...{ ...ONE_MODEL, host: MAY_REPEAT, ways: retry('rate_limit') },
  },
  {
    name: 'a model that is overloaded beside one that is not, 5/s of 1 s',
    tasks: 8_000,
    arrivals: steady(5),
    provider: () => {
      const [full, free] = [atMostAtOnce(6, says.busy, about(SECOND_MS)), atRandom(0.01, says.busy, about(1_200))];
      return (call) => (call.model === 'gpt' ? full(call) : free(call));
    },
    models: ['gpt', 'mini'],
  },
];

function busyCustomer({ customer }: { readonly customer: number }): number {
  return customer < 8 ? 0 : customer;
}

export const WORLDS: readonly World[] = [...RANDOM, ...QUOTAS, ...LOADED];
