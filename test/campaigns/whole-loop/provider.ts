/** The model server of the whole-loop campaign, in a process of its own. */
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import { hashUnit } from '../../../src/lib/hash.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ANSWER_MS, FAULTS, HANG_MS, MODELS, type ProviderOptions } from './faults.js';

/** Tasks in a row that share a fate where fates are sealed, as those do that meet one burst. */
const SEALED_RUN = 20;

async function startProvider({ seed, mendable }: ProviderOptions): Promise<string> {
  const server = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  const random = seededRandom(seed);
  const bucket = new TokenBucket();
  const weather = new Bursts(random);
  /** Evenly spread over [0, 1): new for each call, or one and the same for all calls of a task. */
  const draw = (prompt: string) => (mendable ? random() : hashUnit(prompt, seed));

  const answer = async (request: ChatCompletionRequest): Promise<FixtureResponse> => {
    const prompt = textOf(request);
    const [kind, number] = prompt.split(' ');
    switch (kind) {
      case 'index': {
        const resetMs = mendable ? bucket.take() : draw(prompt) < FAULTS.sealedRefusals ? 100 : 0;
        if (resetMs > 0) return rateLimit(resetMs);
        break;
      }
      case 'search': {
        const run = `search ${Math.floor(Number(number) / SEALED_RUN)}`;
        const leftMs = mendable ? weather.leftMs() : hashUnit(run, seed) < FAULTS.burst.share ? 100 : 0;
        if (leftMs > 0) return unavailable(leftMs);
        break;
      }
      case 'translate':
        if (draw(prompt) < FAULTS.hangingTranslations) await wait(HANG_MS);
        break;
      case 'summarize':
        if (draw(prompt) < FAULTS.emptySummaries) return { content: '' };
        break;
      case 'answer': {
        const bad = mendable ? request.model === MODELS.bad : hashUnit(`${prompt} model`, seed) < 1 / 3;
        if (bad && draw(prompt) < FAULTS.proseOfBadModel) return { content: `Sure! Here is what I know: ${prompt}.` };
        break;
      }
    }
    await wait(ANSWER_MS.least - ANSWER_MS.spread * Math.log(1 - random()));
    return { content: JSON.stringify({ answer: prompt }) };
  };

  server.on({ endpoint: 'chat' }, answer);
  return server.start();
}

/** A quota that all callers share: tokens that come back evenly, up to a few together. */
class TokenBucket {
  #tokens: number = FAULTS.quota.capacity;
  #sinceMs = performance.now();

  /** 0 when the call is let through; else how long until the next one would be. */
  take(): number {
    const nowMs = performance.now();
    const perMs = FAULTS.quota.perMinute / 60_000;
    this.#tokens = Math.min(FAULTS.quota.capacity, this.#tokens + (nowMs - this.#sinceMs) * perMs);
    this.#sinceMs = nowMs;
    if (this.#tokens < 1) return Math.ceil((1 - this.#tokens) / perMs);
    this.#tokens -= 1;
    return 0;
  }
}

/** Stretches of one length that come at random times and fill a share of the time. */
class Bursts {
  readonly #random: () => number;
  #beginsMs = performance.now();

  constructor(random: () => number) {
    this.#random = random;
  }

  /** How long the burst that is on now still lasts; 0 when there is none. */
  leftMs(): number {
    const { share, lastsMs } = FAULTS.burst;
    const nowMs = performance.now();
    while (this.#beginsMs + lastsMs <= nowMs) {
      // Random gaps that can be of any length, with the mean that makes the share come true.
      const meanGapMs = (lastsMs * (1 - share)) / share;
      this.#beginsMs += lastsMs - meanGapMs * Math.log(1 - this.#random());
    }
    return nowMs < this.#beginsMs ? 0 : Math.ceil(this.#beginsMs + lastsMs - nowMs);
  }
}

function rateLimit(resetMs: number): FixtureResponse {
  const message = `Rate limit reached for ${MODELS.index} on requests per min (RPM): Limit: ${FAULTS.quota.perMinute} / min. Please try again in ${resetMs}ms.`;
  return { error: { message, type: 'requests', code: 'rate_limit_exceeded' }, status: 429 };
}

function unavailable(leftMs: number): FixtureResponse {
  const message = `The server is overloaded. Please retry after ${leftMs} ms.`;
  return { error: { message, type: 'server_error' }, status: 503 };
}

function textOf(request: ChatCompletionRequest): string {
  const content = request.messages.at(-1)?.content;
  return typeof content === 'string' ? content : '';
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

// Started by `startProvider` in provider-process.ts, ended with its parent.
const options: ProviderOptions = JSON.parse(process.argv[2] ?? '{}');
process.on('disconnect', () => process.exit(0));
process.send?.(await startProvider(options));
