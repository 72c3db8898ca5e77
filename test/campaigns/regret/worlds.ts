import { type Random, seededRandom } from '../../../src/lib/random.js';
import { type Answer, type Call, MONTH_MS, type World } from './month.js';

const MINUTE_MS = 60_000;
/** Price of hosts whose tasks may wait: pacing all callers costs about a minute per prevented failure. */
const PATIENT_MS = 10 * MINUTE_MS;
const DAY_MS = 86_400_000;

/** The twelve worlds: ten in which a setting prevents failures, and two in which none does. */
export const WORLDS: readonly World[] = [
  {
    name: 'a time-out that is too tight',
    host: { policy: { 'timeout.attemptMs': 1_500 }, idempotent: {} },
    best: { 'timeout.attemptMs': 30_000 },
    arrivals: steadily,
    provider: () => (call) => ({ takesMs: logNormal(call.luck, 800, 0.65) }),
  },
  {
    name: 'the model asked first degrades',
    host: { idempotent: false },
    best: { 'model.order': ['new'] },
    models: () => ['old', 'new'],
    arrivals: steadily,
    provider: (random) => {
      const sinceMs = (2 + 8 * random()) * DAY_MS;
      return ({ luck, model, nowMs }) => {
        const chance = model === 'old' && nowMs > sinceMs ? 0.4 : 0.02;
        return luck() < chance ? fails('400 invalid schema') : { takesMs: 900 };
      };
    },
  },
  {
    name: 'one bad model among two',
    host: { idempotent: false },
    best: { 'model.order': ['good'] },
    models: (luck) => (luck() < 0.5 ? ['bad', 'good'] : ['good', 'bad']),
    arrivals: steadily,
    provider: () => (call) =>
      call.luck() < (call.model === 'bad' ? 0.2 : 0.03)
        ? fails('Unexpected token < in JSON at position 0')
        : { takesMs: 900 },
  },
  {
    name: 'a shared quota, nothing announced',
    host: { idempotent: {}, priceMs: PATIENT_MS },
    best: { 'limit.resetMs': 60_000 },
    models: () => ['only'],
    arrivals: (random) => inBursts(random, 8, 40_000, 1 / 24),
    provider: () => quota({ perMinute: 20, size: 8 }, () => refusal(429, 'Too Many Requests')),
  },
  {
    name: 'a rate limit that says when to come back',
    host: { idempotent: true, priceMs: PATIENT_MS },
    best: { 'limit.resetMs': 60_000, 'retries.rate_limit': 2 },
    models: () => ['only'],
    arrivals: (random) => inBursts(random, 4, 12 * MINUTE_MS, 1),
    provider: () =>
      quota({ perMinute: 12, size: 4 }, (waitMs) =>
        refusal(429, `Too Many Requests: try again in ${Math.ceil(waitMs / 1_000)} s`, Math.ceil(waitMs / 1_000)),
      ),
  },
  {
    name: 'calls that hang',
    host: { policy: { 'timeout.taskMs': 60_000 }, idempotent: true },
    best: { 'timeout.attemptMs': 8_000, 'retries.timeout': 1 },
    arrivals: steadily,
    provider: () => (call) => ({ takesMs: call.luck() < 0.06 ? 600_000 : logNormal(call.luck, 1_200, 0.5) }),
  },
  {
    name: 'bursts of server errors',
    host: { idempotent: true },
    best: { 'retries.server_error': 2 },
    arrivals: steadily,
    provider: (random) => {
      const isBad = spells(random, 4 * 3_600_000, 20 * MINUTE_MS);
      return ({ luck, nowMs }) =>
        luck() < (isBad(nowMs) ? 0.4 : 0.02) ? fails('503 Service Unavailable', 503) : { takesMs: 900 };
    },
  },
  {
    name: 'inputs longer than the model takes',
    host: { policy: {}, idempotent: false },
    best: { 'input.maxTokens': 7_000 },
    arrivals: steadily,
    provider: () => ofLimitedInput,
  },
  {
    name: 'four tasks whose failures differ',
    host: { policy: { 'timeout.taskMs': 60_000 }, idempotent: true },
    best: { 'retries.server_error': 2, 'retries.timeout': 1, 'timeout.attemptMs': 8_000, 'input.maxTokens': 7_000 },
    names: ['ask', 'read', 'plan', 'write'],
    arrivals: (random) => inBursts(random, 1, MINUTE_MS, 1),
    provider: () => (call) => {
      const { hangs, fails503, isLong } = FAULTS[call.name] ?? { hangs: 0, fails503: 0, isLong: false };
      const draw = call.luck();
      if (draw < hangs) return { takesMs: 600_000 };
      if (draw < hangs + fails503) return fails('503 Service Unavailable', 503);
      if (seededRandom(call.task)() < 0.02) return fails('400 invalid argument', 400);
      return isLong ? ofLimitedInput(call) : { takesMs: logNormal(call.luck, 1_200, 0.5) };
    },
  },
  {
    name: 'a shared quota that states its limit',
    host: { idempotent: true, priceMs: PATIENT_MS },
    best: { 'limit.resetMs': 60_000, 'retries.rate_limit': 2 },
    models: () => ['only'],
    arrivals: (random) => inBursts(random, 8, 40_000, 1 / 24),
    provider: () =>
      quota({ perMinute: 20, size: 8 }, () => refusal(429, 'Too Many Requests: limit 20 requests per minute')),
  },
  {
    name: 'nothing is wrong',
    host: { idempotent: true },
    arrivals: steadily,
    provider: () => (call) =>
      call.luck() < 0.002 ? fails('400 invalid argument', 400) : { takesMs: logNormal(call.luck, 900, 0.4) },
  },
  {
    name: 'failures that no setting prevents',
    host: { idempotent: true },
    models: () => ['one', 'other'],
    arrivals: steadily,
    provider: () => (call) =>
      seededRandom(call.task)() < 0.08
        ? fails('503 Service Unavailable: this document cannot be rendered', 503)
        : { takesMs: logNormal(call.luck, 900, 0.4) },
  },
];

/** Faults of four tasks: shares of calls that hang or fail, and whether inputs may be too long. */
const FAULTS: Readonly<
  Record<string, { readonly hangs: number; readonly fails503: number; readonly isLong: boolean }>
> = {
  ask: { hangs: 0.02, fails503: 0.04, isLong: false },
  read: { hangs: 0, fails503: 0.06, isLong: true },
  plan: { hangs: 0.05, fails503: 0, isLong: false },
  write: { hangs: 0.01, fails503: 0.02, isLong: true },
};

/** Answers an input that may be longer than the model takes. */
function ofLimitedInput({ luck, policy }: Pick<Call, 'luck' | 'policy'>): Answer {
  const tokens = logNormal(luck, 3_500, 0.6);
  const most = policy['input.maxTokens'];
  const sent = most > 0 ? Math.min(most, tokens) : tokens;
  const message = `This model's maximum context length is 8192 tokens. However, your messages resulted in ${Math.round(sent)} tokens.`;
  return sent > 8_192 ? fails(message, 400) : { takesMs: 900 };
}

/** A task every four minutes on average. */
function steadily(random: Random): Iterable<number> {
  return inBursts(random, 1, 4 * MINUTE_MS, 1);
}

/** Bursts of `size` tasks on average, `everyMs` apart on average, in the first `part` of each day. */
function* inBursts(random: Random, size: number, everyMs: number, part: number): Iterable<number> {
  for (let busyMs = 0; ; ) {
    busyMs -= Math.log(1 - random()) * everyMs;
    const day = Math.floor(busyMs / (part * DAY_MS));
    const atMs = day * DAY_MS + (busyMs - day * part * DAY_MS);
    if (atMs >= MONTH_MS) return;
    const tasks = 1 + Math.floor(random() * (2 * size - 1));
    for (let task = 0; task < tasks; task++) yield atMs;
  }
}

function logNormal(luck: Random, medianMs: number, spread: number): number {
  const [one, other] = [1 - luck(), luck()];
  return Math.round(medianMs * Math.exp(spread * Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other)));
}

function fails(message: string, status?: number): Answer {
  return { takesMs: 300, error: Object.assign(new Error(message), status === undefined ? {} : { status }) };
}

function refusal(status: number, message: string, afterS?: number): Error {
  const headers = afterS === undefined ? undefined : { 'retry-after': String(afterS) };
  return Object.assign(new Error(`${status} ${message}`), { status, ...(headers && { headers }) });
}

/** A token bucket that all callers share. `refuse` words the error, given the time until the next token. */
function quota(
  { perMinute, size }: { readonly perMinute: number; readonly size: number },
  refuse: (waitMs: number) => Error,
): ReturnType<World['provider']> {
  const perMs = perMinute / MINUTE_MS;
  let [tokens, tokensMs] = [size, 0];
  return ({ nowMs, luck }) => {
    tokens = Math.min(size, tokens + (nowMs - tokensMs) * perMs);
    tokensMs = nowMs;
    if (tokens < 1) return { takesMs: 40, error: refuse((1 - tokens) / perMs) };
    tokens--;
    return { takesMs: 300 + 600 * luck() };
  };
}

/** Returns whether a moment is in a bad spell: about `lastMs` long, about `everyMs` apart. */
function spells(random: Random, everyMs: number, lastMs: number): (nowMs: number) => boolean {
  let [isBad, untilMs] = [false, 0];
  return (nowMs) => {
    while (nowMs >= untilMs) {
      isBad = !isBad && untilMs > 0;
      untilMs -= Math.log(1 - random()) * (isBad ? lastMs : everyMs);
    }
    return isBad;
  };
}
