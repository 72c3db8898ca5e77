export class Spans {
  #spans: [number, number][] = [];

  add(from: number, to: number): void {
    check(from, to);
    // Spans that touch the new one: from the first that ends at or behind its start, to the last that starts at or before its end.
    const start = this.#firstWhere((span) => span[1] >= from);
    const end = this.#firstWhere((span) => span[0] > to);
    const low = Math.min(from, this.#spans[start]?.[0] ?? from);
    const high = Math.max(to, this.#spans[end - 1]?.[1] ?? to);
    this.#spans.splice(start, end - start, [low, high]);
  }

  remove(from: number, to: number): void {
    check(from, to);
    const start = this.#firstWhere((span) => span[1] > from);
    const end = this.#firstWhere((span) => span[0] >= to);
    const left: [number, number][] = [];
    for (const [low, high] of this.#spans.slice(start, end)) {
      if (low < from) left.push([low, from]);
      if (high > to) left.push([to, high]);
    }
    this.#spans.splice(start, end - start, ...left);
  }

  covers(from: number, to: number): boolean {
    check(from, to);
    const span = this.#spans[this.#firstWhere(([, high]) => high > from)];
    return span !== undefined && span[0] <= from && span[1] >= to;
  }

  list(): [number, number][] {
    return this.#spans.map(([from, to]) => [from, to]);
  }

  #firstWhere(isBehind: (span: [number, number]) => boolean): number {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBehind(this.#spans[middle] as [number, number])) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function check(from: number, to: number): void {
  if (!(from < to)) throw new RangeError(`not a span: ${from} to ${to}`);
}
