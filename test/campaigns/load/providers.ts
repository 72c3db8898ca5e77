import type { Random } from '../../../src/lib/random.js';
import type { Answer, Call, Provider } from './world.js';

/** Draws how long a call works. */
export type Duration = (luck: Random) => number;

/** Words and headers of a refusal, given the wait that helps. */
export type Refusal = (waitMs: number) => Error;

/** Durations with a light tail. */
export function about(medianMs: number, spread = 0.3): Duration {
  return (luck) => {
    const [one, other] = [1 - luck(), luck()];
    return Math.round(medianMs * Math.exp(spread * Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other)));
  };
}

/** Durations with a heavy tail: one in a hundred takes about 14 times the shortest. */
export function heavy(shortestMs: number): Duration {
  return (luck) => Math.round(Math.min(100, (1 - luck()) ** (-1 / 1.75)) * shortestMs);
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000));

/** Ways in which providers refuse. */
export const says = {
  tooMany: () => withStatus(429, 'Too Many Requests'),
  tooManyUntil: (waitMs: number) => withStatus(429, 'Too Many Requests', seconds(waitMs)),
  perMinute: (requests: number) => () => withStatus(429, `Rate limit reached: limit ${requests} requests per minute`),
  busy: () => withStatus(503, 'Service Unavailable'),
  busyUntil: (waitMs: number) => withStatus(503, 'Service Unavailable', seconds(waitMs)),
  busyInWords: (waitMs: number) => withStatus(503, `Service Unavailable: try again in ${seconds(waitMs)} s`),
  reset: () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
} as const;

function withStatus(status: number, words: string, afterS?: number): Error {
  const headers = afterS === undefined ? {} : { headers: { 'retry-after': String(afterS) } };
  return Object.assign(new Error(`${status} ${words}`), { status, ...headers });
}

/** Refuses a share of the calls at random. */
export function atRandom(share: number, refusal: Refusal, works: Duration, waitMs = 0): Provider {
  return ({ luck }) => (luck() < share ? refused(refusal(waitMs)) : { takesMs: works(luck) });
}

/** Refuses calls at random in bad stretches only, about `lastMs` long and `everyMs` apart. */
export function inStretches(
  random: Random,
  { everyMs, lastMs, share }: { readonly everyMs: number; readonly lastMs: number; readonly share: number },
  refusal: Refusal,
  works: Duration,
): Provider {
  let [isBad, untilMs] = [true, 0];
  return ({ luck, nowMs }) => {
    while (nowMs >= untilMs) {
      isBad = !isBad;
      untilMs -= Math.log(1 - random()) * (isBad ? lastMs : everyMs);
    }
    return isBad && luck() < share ? refused(refusal(lastMs / 4)) : { takesMs: works(luck) };
  };
}

/** Grants a number of calls a minute to each `owner`: a model, a customer or the whole account. */
export function quota(
  { perMinute, size }: { readonly perMinute: number; readonly size: number },
  ownerOf: (call: Call) => string | number,
  refusal: Refusal,
  works: Duration,
): Provider {
  const perMs = perMinute / 60_000;
  const buckets = new Map<string | number, { tokens: number; atMs: number }>();
  return (call) => {
    const owner = ownerOf(call);
    const bucket = buckets.get(owner) ?? { tokens: size, atMs: 0 };
    buckets.set(owner, bucket);
    bucket.tokens = Math.min(size, bucket.tokens + (call.nowMs - bucket.atMs) * perMs);
    bucket.atMs = call.nowMs;
    if (bucket.tokens < 1) return refused(refusal((1 - bucket.tokens) / perMs));
    bucket.tokens--;
    return { takesMs: works(call.luck) };
  };
}

/** Works on so many calls at the same time and refuses others. With `isCascade`, refusals take its time too. */
export function atMostAtOnce(places: number, refusal: Refusal, works: Duration, isCascade = false): Provider {
  let ends: number[] = [];
  return ({ nowMs, luck }) => {
    ends = ends.filter((endMs) => endMs > nowMs);
    const takesMs = works(luck);
    const isFull = ends.length >= places;
    if (!isFull) ends.push(nowMs + takesMs);
    else if (isCascade) ends.push(nowMs + takesMs / 4);
    return isFull ? refused(refusal(1_000), isCascade ? takesMs / 4 : REFUSED_MS) : { takesMs };
  };
}

/** Never answers a share of the calls. */
export function hanging(share: number, works: Duration): Provider {
  return ({ luck }) => ({ takesMs: luck() < share ? HANGS_MS : works(luck) });
}

/** Takes longer and longer, from once to `times` its usual time over the first `tasks`. */
export function degrading(times: number, tasks: number, works: Duration): Provider {
  return ({ luck, task }) => ({ takesMs: works(luck) * (1 + (times - 1) * Math.min(1, task / tasks)) });
}

const REFUSED_MS = 50;
const HANGS_MS = 24 * 3_600_000;

function refused(error: Error, takesMs = REFUSED_MS): Answer {
  return { takesMs, error };
}
