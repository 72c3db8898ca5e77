import { Listeners } from './listeners.js';

/** Tells each kind of event to those who asked for it. A handler that throws disturbs nobody. */
export class Emitter<Event extends { readonly kind: string }> {
  readonly #byKind = new Map<string, Listeners<Event>>();

  /** Gives the function that stops the telling. */
  on<Kind extends Event['kind']>(kind: Kind, handler: (event: Extract<Event, { kind: Kind }>) => void): () => void {
    const listeners = this.#byKind.get(kind) ?? new Listeners<Event>();
    this.#byKind.set(kind, listeners);
    // Listeners are kept by kind, so only events of that kind reach this one.
    return listeners.add(handler as (event: Event) => void);
  }

  emit(event: Event): void {
    this.#byKind.get(event.kind)?.tell(event);
  }
}
