/** The model server of the demo, with the faults that real providers have. */
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import { draw } from './draw.js';

/** How often things go wrong on the provider's bad day, as shares of the calls. */
const BAD_DAY = {
  /** Answers of the model `aurora` that are prose where JSON was asked for; `basalt` keeps to it. */
  proseOfAurora: 0.3,
  emptySummaries: 0.15,
  hangingTranslations: 0.08,
  unavailableSearches: 0.12,
  /** Tickets whose text makes the model stop in the middle of its JSON, every time they are sent. */
  cutTickets: 0.35,
};

/** A hanging call answers after this long, far beyond every limit. */
const HANG_MS = 3_000;

export interface ProviderOptions {
  readonly seed: number;
  /**
   * Whether trying again, or asking another model, can change the answer. With `false` each task's fate is sealed when
   * it arrives: no fix can do any good, and none may be confirmed.
   */
  readonly fixable: boolean;
}

/** Starts a model server on loopback that answers as real providers do on a bad day. */
async function startProvider({ seed, fixable }: ProviderOptions): Promise<string> {
  const server = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  const asked = new Map<string, number>();

  /** Evenly spread over [0, 1): new for each call, or the same for all calls of a task where nothing is fixable. */
  const fate = (request: ChatCompletionRequest, retryHelps: boolean) => {
    const prompt = textOf(request);
    const call = (asked.get(prompt) ?? 0) + 1;
    asked.set(prompt, call);
    return draw(retryHelps && fixable ? `${prompt}|${request.model}|${call}` : prompt, seed);
  };

  const answer = async (request: ChatCompletionRequest): Promise<FixtureResponse> => {
    const prompt = textOf(request);
    const about = prompt.slice(0, prompt.indexOf(' '));
    switch (about) {
      case 'answer': {
        const bad = fixable ? request.model === 'aurora' : draw(prompt, seed + 1) < 0.5;
        const prose = bad && fate(request, true) < BAD_DAY.proseOfAurora;
        return { content: prose ? `Sure! Here is what I know about ${prompt}.` : JSON.stringify({ answer: prompt }) };
      }
      case 'summarize':
        return fate(request, true) < BAD_DAY.emptySummaries ? { content: '' } : text(prompt);
      case 'translate':
        if (fate(request, true) < BAD_DAY.hangingTranslations) await wait(HANG_MS);
        return text(prompt);
      case 'search':
        return fate(request, true) < BAD_DAY.unavailableSearches ? failure(503, 'Service Unavailable') : text(prompt);
      case 'triage': {
        const ticket = JSON.stringify({ team: 'billing', urgent: false, about: prompt });
        return { content: fate(request, false) < BAD_DAY.cutTickets ? ticket.slice(0, 30) : ticket };
      }
      default:
        return text(prompt);
    }
  };

  server.on({ endpoint: 'chat' }, answer);
  return server.start();
}

function text(prompt: string): FixtureResponse {
  return { content: `About "${prompt}": all is well.` };
}

function failure(status: number, message: string): FixtureResponse {
  return { error: { message, type: 'server_error' }, status };
}

function textOf(request: ChatCompletionRequest): string {
  const content = request.messages.at(-1)?.content;
  return typeof content === 'string' ? content : '';
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

// A process of its own, as a provider is: started by `startProvider` in provider-process.ts, ended with its parent.
const options: ProviderOptions = JSON.parse(process.argv[2] ?? '{}');
process.on('disconnect', () => process.exit(0));
process.send?.(await startProvider(options));
