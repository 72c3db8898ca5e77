import {
  LoopError,
  type Model,
  type ModelAnswer,
  type ModelCall,
  type ModelHealth,
  type ModelMode,
  type ModelRequest,
  type ModelRole,
} from 'rsi-loop';

export interface ModelRouterOptions {
  /** Who answers a person, typically Ollama, and who answers the loop, typically vLLM. */
  readonly modes?: Partial<Readonly<Record<ModelMode, Model>>>;
  /** Who does which kind of work; goes before `modes`. `embed` makes vectors. */
  readonly roles?: Partial<Readonly<Record<ModelRole | 'embed', Model>>>;
  /** Who answers what nobody else is named for, or could not answer because it is down. */
  readonly fallback?: Model;
}

/** Several models as one: each request goes to the one that is named for its role, else for its mode. */
export class ModelRouter implements Model {
  readonly name: string;
  readonly #options: ModelRouterOptions;
  readonly #models: readonly Model[];

  /** @throws LoopError `invalid-input` where no model is named. */
  constructor(options: ModelRouterOptions) {
    const { modes = {}, roles = {}, fallback } = options;
    this.#models = [...new Set([modes.interactive, modes.loop, ...Object.values(roles), fallback])].filter(
      (model) => model !== undefined,
    );
    if (this.#models.length === 0) {
      throw new LoopError('invalid-input', 'a router needs at least one model: name one in modes, roles or fallback');
    }
    this.#options = options;
    this.name = `router of ${this.#models.map(({ name }) => name).join(', ')}`;
  }

  complete(request: ModelRequest, call: ModelCall = {}): Promise<ModelAnswer> {
    let hasBegun = false;
    const each: ModelCall = call.onText
      ? {
          ...call,
          onText: (piece) => {
            hasBegun = true;
            call.onText?.(piece);
          },
        }
      : call;
    // What was handed on cannot be taken back.
    return this.#fallBack(
      this.modelFor(request),
      (model) => model.complete(request, each),
      () => hasBegun,
    );
  }

  /** Vectors of two models cannot be compared: nobody stands in for the one that makes them. */
  async embed(texts: readonly string[], call: ModelCall = {}): Promise<readonly (readonly number[])[]> {
    return (this.#options.roles?.embed ?? this.modelFor({})).embed(texts, call);
  }

  /** Well while one of its models is. */
  async health(call: Pick<ModelCall, 'signal' | 'timeoutMs'> = {}): Promise<ModelHealth> {
    const all = await Promise.all(this.#models.map((model) => model.health(call)));
    const well = all.filter(({ ok }) => ok);
    const problem = all.flatMap((health) => health.problem ?? []).join('; ');
    return {
      ok: well.length > 0,
      models: [...new Set(well.flatMap(({ models }) => models))],
      latencyMs: Math.max(...all.map(({ latencyMs }) => latencyMs)),
      ...(well.length === 0 && { problem }),
    };
  }

  /** Who gets such a request, while nobody is down. */
  modelFor({ role, mode = 'loop' }: Pick<ModelRequest, 'role' | 'mode'>): Model {
    const { modes = {}, roles = {}, fallback } = this.#options;
    const model =
      (role && roles[role]) ?? modes[mode] ?? fallback ?? modes.loop ?? modes.interactive ?? this.#models[0];
    // The constructor made sure that there is one.
    return model as Model;
  }

  async #fallBack<T>(model: Model, work: (model: Model) => Promise<T>, isTooLate: () => boolean): Promise<T> {
    const { fallback } = this.#options;
    try {
      return await work(model);
    } catch (error) {
      if (!fallback || fallback === model || isTooLate() || !LoopError.is(error) || error.code !== 'model-down')
        throw error;
      return work(fallback);
    }
  }
}
