/** Signal of one task that aborts with the host's signal, until it is released. */
export interface TaskSignal {
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * Signals of the host. Each gets one listener, regardless of how many tasks it was given to: the platform warns about
 * a leak from 11 listeners on.
 */
export class HostSignals {
  readonly #followers = new WeakMap<AbortSignal, Set<AbortController>>();

  /** Returns a signal for one task that follows the host's. */
  follow(host: AbortSignal): TaskSignal {
    const controller = new AbortController();
    if (host.aborted) {
      controller.abort(host.reason);
      return { signal: controller.signal, release: () => {} };
    }
    const followers = this.#followers.get(host) ?? this.#listen(host);
    followers.add(controller);
    return { signal: controller.signal, release: () => this.#release(host, controller) };
  }

  #listen(host: AbortSignal): Set<AbortController> {
    const followers = new Set<AbortController>();
    this.#followers.set(host, followers);
    host.addEventListener('abort', this.#abort, { once: true });
    return followers;
  }

  /** The same function for every signal, so that it can be removed again. */
  readonly #abort = ({ target }: Event): void => {
    const host = target as AbortSignal; // only signals get this listener
    const followers = this.#followers.get(host) ?? [];
    this.#followers.delete(host);
    for (const follower of followers) follower.abort(host.reason);
  };

  #release(host: AbortSignal, controller: AbortController): void {
    const followers = this.#followers.get(host);
    if (followers === undefined || !followers.delete(controller) || followers.size > 0) return;
    this.#followers.delete(host);
    host.removeEventListener('abort', this.#abort);
  }
}
