interface Job<T> {
  readonly id: number;
  readonly value: T;
  readonly priority: number;
}

export class Queue<T> {
  readonly #heap: Job<T>[] = [];
  readonly #places = new Map<number, number>();
  #nextId = 1;

  get size(): number {
    return this.#heap.length;
  }

  add(value: T, priority: number): number {
    const id = this.#nextId++;
    this.#insert({ id, value, priority });
    return id;
  }

  peek(): T | undefined {
    return this.#heap[0]?.value;
  }

  pop(): T | undefined {
    const [first] = this.#heap;
    if (first) this.remove(first.id);
    return first?.value;
  }

  remove(id: number): boolean {
    return this.#take(id) !== undefined;
  }

  update(id: number, priority: number): boolean {
    const job = this.#take(id);
    if (job) this.#insert({ ...job, priority });
    return job !== undefined;
  }

  #insert(job: Job<T>): void {
    this.#put(this.#heap.length, job);
    this.#rise(this.#heap.length - 1);
  }

  #take(id: number): Job<T> | undefined {
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    const job = this.#heap[place];
    const last = this.#heap.pop() as Job<T>;
    this.#places.delete(id);
    if (place < this.#heap.length) {
      this.#put(place, last);
      this.#rise(place);
      this.#sink(place);
    }
    return job;
  }

  #rise(from: number): void {
    let place = from;
    while (place > 0 && this.#isBefore(place, (place - 1) >> 1)) {
      this.#swap(place, (place - 1) >> 1);
      place = (place - 1) >> 1;
    }
  }

  #sink(from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      const child = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(child, place)) return;
      this.#swap(place, child);
      place = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (!first || !second) return false;
    return first.priority === second.priority ? first.id < second.id : first.priority < second.priority;
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#heap[a] as Job<T>, this.#heap[b] as Job<T>];
    this.#put(a, second);
    this.#put(b, first);
  }

  #put(place: number, job: Job<T>): void {
    this.#heap[place] = job;
    this.#places.set(job.id, place);
  }
}
