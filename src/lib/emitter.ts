import { Listeners } from './listeners.js';

/** Emits events to the listeners of their kind. A handler that throws does not affect the others. */
export class Emitter<Event extends { readonly kind: string }> {
  readonly #byKind = new Map<string, Listeners<Event>>();
  readonly #onThrow: (kind: string, error: unknown) => void;
  readonly #onUnheard: (event: Event) => void;

  /**
   * `onThrow` receives what a handler threw, or the rejection of its promise. `onUnheard` receives events without a
   * listener.
   */
  constructor(
    onThrow: (kind: string, error: unknown) => void = () => {},
    onUnheard: (event: Event) => void = () => {},
  ) {
    this.#onThrow = onThrow;
    this.#onUnheard = onUnheard;
  }

  /** Returns an unsubscribe function. */
  on<Kind extends Event['kind']>(kind: Kind, handler: (event: Extract<Event, { kind: Kind }>) => unknown): () => void {
    const listeners = this.#byKind.get(kind) ?? new Listeners<Event>((error) => this.#onThrow(kind, error));
    this.#byKind.set(kind, listeners);
    // Listeners are stored by kind, so this one only gets events of its kind.
    return listeners.add(handler as (event: Event) => unknown);
  }

  emit(event: Event): void {
    const listeners = this.#byKind.get(event.kind);
    if (listeners && listeners.size > 0) listeners.notify(event);
    else this.#onUnheard(event);
  }
}
