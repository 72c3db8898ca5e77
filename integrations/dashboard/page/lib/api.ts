import type { DecisionRequest, FixRow } from '../../fix-views.js';
import type { LoginRequest, ProblemView } from '../../views.js';

/** Answer of the server that is not the view asked for, in words for the reader. */
export class ApiProblem extends Error {
  readonly problem: ProblemView;

  constructor(problem: ProblemView) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Requests of the page to its server, below the mount prefix. */
export class Api {
  readonly #base: string;
  readonly #fetch: typeof fetch;

  constructor(base: string, request: typeof fetch) {
    this.#base = base;
    this.#fetch = request;
  }

  eventsAddress(): string {
    return `${this.#base}api/events`;
  }

  async get(path: string): Promise<unknown> {
    const response = await this.#send(path, { headers: { accept: 'application/json' } });
    return response.json();
  }

  async decide(request: DecisionRequest, csrf: string): Promise<{ readonly fix?: FixRow }> {
    const response = await this.#post('decisions', request, { 'x-rsi-csrf': csrf });
    return response.json();
  }

  async login(request: LoginRequest): Promise<void> {
    await this.#post('login', request, {});
  }

  async logout(): Promise<void> {
    await this.#post('logout', {}, {});
  }

  #post(path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Response> {
    return this.#send(path, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #send(path: string, options: RequestInit): Promise<Response> {
    const request = this.#fetch;
    const response = await request(`${this.#base}api/${path}`, { ...options, credentials: 'same-origin' }).catch(() => {
      throw new ApiProblem(NO_ANSWER);
    });
    if (!response.ok) throw new ApiProblem(await responseProblem(response));
    return response;
  }
}

const NO_ANSWER: ProblemView = {
  status: 0,
  message:
    'The server of this dashboard does not answer. Start it again with `rsi dashboard`: the page then reconnects.',
};

async function responseProblem(response: Response): Promise<ProblemView> {
  const fallback: ProblemView = {
    status: response.status,
    message: `The server answered ${response.status}. Reload the page, or run \`rsi doctor\` in a terminal.`,
    ...(response.status === 401 && { action: 'login' }),
  };
  try {
    const body: unknown = await response.json();
    return isProblem(body) ? body : fallback;
  } catch {
    return fallback;
  }
}

function isProblem(body: unknown): body is ProblemView {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
}
