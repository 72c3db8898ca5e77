type Listener = (...args: unknown[]) => void;

export class Emitter {
  readonly #listeners = new Map<string, { listener: Listener; isOnce: boolean }[]>();

  on(name: string, listener: Listener): void {
    this.#add(name, listener, false);
  }

  once(name: string, listener: Listener): void {
    this.#add(name, listener, true);
  }

  off(name: string, listener: Listener): void {
    const entries = this.#listeners.get(name) ?? [];
    const index = entries.findLastIndex((entry) => entry.listener === listener);
    this.#listeners.set(
      name,
      entries.filter((_, at) => at !== index),
    );
  }

  emit(name: string, ...args: unknown[]): number {
    const entries = this.#listeners.get(name) ?? [];
    const errors: unknown[] = [];
    this.#listeners.set(
      name,
      entries.filter(({ isOnce }) => !isOnce),
    );
    for (const { listener } of entries) {
      try {
        listener(...args);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return entries.length;
  }

  #add(name: string, listener: Listener, isOnce: boolean): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), { listener, isOnce }]);
  }
}
