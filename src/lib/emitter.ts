import { Listeners } from './listeners.js';

/** Tells each kind of event to those who asked for it. A handler that throws disturbs nobody. */
export class Emitter<Event extends { readonly kind: string }> {
  readonly #byKind = new Map<string, Listeners<Event>>();
  readonly #onThrow: (kind: string, error: unknown) => void;
  readonly #onUnheard: (event: Event) => void;

  /**
   * `onThrow` hears what a handler of that kind threw, or what the promise it gave was rejected with; `onUnheard` hears the
   * events that nobody asked for.
   */
  constructor(
    onThrow: (kind: string, error: unknown) => void = () => {},
    onUnheard: (event: Event) => void = () => {},
  ) {
    this.#onThrow = onThrow;
    this.#onUnheard = onUnheard;
  }

  /** Gives the function that stops the telling. */
  on<Kind extends Event['kind']>(kind: Kind, handler: (event: Extract<Event, { kind: Kind }>) => unknown): () => void {
    const listeners = this.#byKind.get(kind) ?? new Listeners<Event>((error) => this.#onThrow(kind, error));
    this.#byKind.set(kind, listeners);
    // Listeners are kept by kind, so only events of that kind reach this one.
    return listeners.add(handler as (event: Event) => unknown);
  }

  emit(event: Event): void {
    const listeners = this.#byKind.get(event.kind);
    if (listeners && listeners.size > 0) listeners.tell(event);
    else this.#onUnheard(event);
  }
}
