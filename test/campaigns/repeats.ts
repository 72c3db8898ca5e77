import { type CatalogEntry, ERROR_CATEGORIES, type ErrorCategory, RSILoop } from 'rsi-loop';
import { PERMANENT } from '../../src/contract/settings.js';
import { seededRandom } from '../../src/lib/random.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

/** How a task comes to be one that may not be repeated. */
const WORDS = ['no answer', 'the call says no', 'the loop says no', 'a person says no', 'a fix was applied'] as const;

export interface RepeatCount {
  readonly word: (typeof WORDS)[number];
  readonly tasks: number;
  readonly failures: number;
  /** Calls beyond the first of a task. */
  readonly repeats: number;
  /** Trials of settings that ran meanwhile, so that zero repeats does not mean that nothing happened. */
  readonly trials: number;
}

/** Wants every error to be retried, and calls that safe. */
const EAGER: CatalogEntry = {
  name: 'eager',
  match: ({ kind, issue }) => kind === 'failure' && isRetried(issue),
  propose: ({ issue }) => [
    { set: { [`retries.${issue}`]: 4 }, reason: 'try again', safe: true },
    { set: { 'model.fallback': true, [`retries.${issue}`]: 3 }, reason: 'try again elsewhere', safe: true },
  ],
};

/** Runs tasks that fail in every class there is, half through `run` and half by a host that does as the settings say. */
export async function countRepeats(tasks: number, seed = 1): Promise<readonly RepeatCount[]> {
  const counts: RepeatCount[] = [];
  for (const word of WORDS) counts.push(await countOne(word, Math.ceil(tasks / WORDS.length), seed));
  return counts;
}

async function countOne(word: RepeatCount['word'], tasks: number, seed: number): Promise<RepeatCount> {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const luck = seededRandom(seed);
  const loop = new RSILoop({
    clock,
    random: seededRandom(seed + 1),
    ...(word === 'the loop says no' && { idempotent: false }),
  });
  loop.fixer.register(EAGER);
  let trials = 0;
  loop.on('trial-started', () => trials++);
  await loop.ready();
  const names = ERROR_CATEGORIES.map((category) => `do_${category}`);
  if (word === 'a person says no') for (const name of names) await loop.forbidRepeat(name, { by: 'ada' });
  const options = word === 'the call says no' ? { idempotent: false } : {};
  let failures = 0;
  let repeats = 0;
  for (let index = 0; index < tasks; index++) {
    const category = ERROR_CATEGORIES[index % ERROR_CATEGORIES.length] ?? 'unknown';
    let calls = 0;
    const work = () => {
      calls++;
      if (luck() < 0.3) throw errorOf(category);
      return 'done';
    };
    if (index % 2 === 0) {
      let isOver = false;
      const ending = loop.run(`do_${category}`, work, options).catch(() => failures++);
      void ending.then(() => {
        isOver = true;
      });
      // A task may wait for the pace that its provider grants.
      for (let turn = 0; turn < 3 || !isOver; turn++) await clock.advance(turn * 500);
    } else {
      const open = loop.begin(`do_${category}`, options);
      const allowed = 1 + (isRetried(category) ? open.policy[`retries.${category}`] : 0);
      let error: unknown;
      do {
        try {
          error = undefined;
          work();
        } catch (thrown) {
          error = thrown;
        }
      } while (error !== undefined && calls < allowed);
      if (error !== undefined) failures++;
      open.end(error === undefined ? { success: true } : { success: false, error });
    }
    repeats += calls - 1;
    await clock.advance(100);
    if (index % 1_000 !== 999) continue;
    await loop.runCycle();
    if (word === 'a fix was applied') await applyAll(loop);
  }
  await loop.close();
  return { word, tasks, failures, repeats, trials };
}

/** A person who approves and applies everything, and reads nothing. */
async function applyAll(loop: RSILoop): Promise<void> {
  for (const { id } of loop.fixes({ status: 'proposed' })) {
    await loop.apply(id, { by: 'bob' }).catch(() => loop.approve(id, { by: 'bob' }));
  }
}

function isRetried(issue: string): issue is ErrorCategory {
  const category = ERROR_CATEGORIES.find((one) => one === issue);
  return category !== undefined && !PERMANENT.has(category);
}

function errorOf(category: ErrorCategory): Error {
  const [message, fields] = ERRORS[category] ?? [`${category} happened`, {}];
  return Object.assign(new Error(message), fields);
}

const ERRORS: { readonly [Category in ErrorCategory]?: readonly [message: string, fields: object] } = {
  rate_limit: ['429 Too Many Requests', { status: 429, headers: { 'retry-after': '1' } }],
  overloaded: ['503 Service Unavailable: overloaded, retry after 2 seconds', { status: 503 }],
  timeout: ['Request timed out', { code: 'ETIMEDOUT' }],
  network: ['read ECONNRESET', { code: 'ECONNRESET' }],
  auth: ['401 Unauthorized', { status: 401 }],
  permission: ['403 Forbidden', { status: 403 }],
  server_error: ['500 Internal Server Error', { status: 500 }],
  parse_error: ['Unexpected token < in JSON at position 0', { name: 'SyntaxError' }],
  empty_response: ['the answer is empty', {}],
  context_length: ["This model's maximum context length is 8192 tokens", { status: 400 }],
  cancelled: ['This operation was aborted', { name: 'AbortError' }],
};
