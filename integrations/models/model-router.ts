import { LoopError, type Model, type ModelAnswer, type ModelRequest } from 'rsi-loop';
import type { ModelCall, ModelHealth, ModelMode, ModelRole } from 'rsi-loop/kit';

/** Options of `ModelRouter`. */
export interface ModelRouterOptions {
  /** Models by mode: `interactive` answers a person, typically Ollama; `loop` answers the loop, typically vLLM. */
  readonly modes?: Partial<Readonly<Record<ModelMode, Model>>>;
  /** Models by role; overrides `modes`. `embed` creates vectors. */
  readonly roles?: Partial<Readonly<Record<ModelRole | 'embed', Model>>>;
  /** Model for requests that no other is named for, or whose model is down. */
  readonly fallback?: Model;
}

/** Router over several models: sends each request to the model named for its role, or else for its mode. */
export class ModelRouter implements Model {
  readonly name: string;
  readonly #options: ModelRouterOptions;
  readonly #models: readonly Model[];

  /** @throws LoopError `invalid-input` if no model is named. */
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
    // Text that was streamed cannot be withdrawn.
    return this.#fallBack(
      this.modelFor(request),
      (model) => model.complete(request, each),
      () => hasBegun,
    );
  }

  /** Creates vectors, without a fallback: vectors of two models cannot be compared. */
  async embed(texts: readonly string[], call: ModelCall = {}): Promise<readonly (readonly number[])[]> {
    return (this.#options.roles?.embed ?? this.modelFor({})).embed(texts, call);
  }

  /** Reports the router as healthy if at least one of its models is. */
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

  /** Returns the model for such a request, if none is down. */
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
