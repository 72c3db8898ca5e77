const MAX_KNOWN_TASKS = 10_000;

/** Maps the newest tasks to their sessions, for the tasks started inside them. */
export class SessionsOfTasks {
  #older = new Map<string, string>();
  #newer = new Map<string, string>();

  of(task: string): string | undefined {
    return this.#newer.get(task) ?? this.#older.get(task);
  }

  add(task: string, session: string): void {
    this.#newer.set(task, session);
    if (this.#newer.size < MAX_KNOWN_TASKS) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}
