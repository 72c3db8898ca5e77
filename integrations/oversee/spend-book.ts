import { LoopError } from 'rsi-loop';
import { noSums, RESOURCE_NAMES, type Resource, type Sums } from './amount.js';

/** Record of a reservation, or of its settlement, which replaces it. */
interface Line extends Readonly<Sums> {
  readonly id: string;
}

interface Page {
  /** Reservations that are not settled. */
  readonly lines: Map<string, Readonly<Sums>>;
  readonly sums: Sums;
  /** Largest amounts that a reservation was settled with. */
  readonly largest: Sums;
  /** Bytes of the file that were read. */
  read: number;
}

/** First line of a file. */
const FORMAT = 'rsi-spending/1';

/** Result of a reservation, with the sums of all reservations before it. */
export interface BookedReservation {
  readonly id: string;
  readonly amount: Readonly<Sums>;
  readonly before: Readonly<Sums>;
  readonly fits: boolean;
}

/**
 * Book of what a budget spent, one page for each period or session. With a folder, a page is a file that processes share: each
 * appends its reservation, then reads all before it. Appends have one order, so two processes never both get the last
 * part. A process that dies leaves its reservations, which stay spent.
 */
export class SpendBook {
  readonly #name: string;
  readonly #folder: string | undefined;
  readonly #pages = new Map<string, Page>();
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * `name` begins the names of the files.
   * @throws LoopError `invalid-input` for a folder on a platform without files.
   */
  constructor(name: string, folder: string | undefined) {
    if (folder !== undefined) diskOf();
    this.#name = name;
    this.#folder = folder;
  }

  /**
   * Reserves `least` if it fits. `before` is what was spent or reserved before it. The resources in `estimated` are
   * reserved at least as high as the largest settled amount of all processes.
   */
  reserve(
    period: string,
    least: Readonly<Sums>,
    limit: Partial<Sums>,
    estimated: readonly Resource[] = [],
  ): Promise<BookedReservation> {
    return this.#inOrder(async () => {
      const id = `${globalThis.crypto.randomUUID()}-${this.#count++}`;
      const page = this.#page(period);
      await this.#readOn(period, page);
      const amount = { ...least };
      for (const each of estimated) amount[each] = Math.max(amount[each], page.largest[each]);
      const isFull = (spent: Readonly<Sums>) =>
        RESOURCE_NAMES.some((each) => spent[each] + amount[each] > (limit[each] ?? Number.POSITIVE_INFINITY));
      // A call that does not fit leaves no line.
      if (isFull(page.sums)) return { id, amount, before: { ...page.sums }, fits: false };
      const before = await this.#write(period, page, { id, ...amount });
      if (!isFull(before)) return { id, amount, before, fits: true };
      await this.#write(period, page, { id, ...noSums() });
      return { id, amount, before, fits: false };
    });
  }

  settle(period: string, id: string, amount: Readonly<Sums>): Promise<void> {
    return this.#inOrder(async () => {
      await this.#write(period, this.#page(period), { id, ...amount });
    });
  }

  spent(period: string): Promise<Readonly<Sums>> {
    return this.#inOrder(async () => {
      const page = this.#page(period);
      await this.#readOn(period, page);
      return { ...page.sums };
    });
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #page(period: string): Page {
    const known = this.#pages.get(period);
    if (known) return known;
    // Calls of the period before may still settle; older pages are complete.
    for (const old of [...this.#pages.keys()].slice(0, -1)) this.#pages.delete(old);
    const page = { lines: new Map(), sums: noSums(), largest: noSums(), read: 0 };
    this.#pages.set(period, page);
    return page;
  }

  /** Writes a line and returns the sum of all lines before it. */
  async #write(period: string, page: Page, line: Line): Promise<Readonly<Sums>> {
    if (this.#folder === undefined) {
      const before = { ...page.sums };
      take(page, line);
      return before;
    }
    const { appendFile, mkdir } = diskOf();
    if (page.read === 0) await this.#onDisk(() => mkdir(this.#folder ?? '.', { recursive: true, mode: 0o700 }));
    // A file that two processes begin at the same time has two first lines, which is as good as one.
    const first = page.read === 0 ? JSON.stringify({ format: FORMAT }) : '';
    // The line end in front ends the torn line of a process that died while writing.
    await this.#onDisk(() => appendFile(this.#file(period), `${first}\n${JSON.stringify(line)}\n`, { mode: 0o600 }));
    return this.#readOn(period, page, line.id);
  }

  /** Reads what was appended since, and returns the sum before the last line of `id`. */
  async #readOn(period: string, page: Page, id?: string): Promise<Readonly<Sums>> {
    let before: Readonly<Sums> = { ...page.sums };
    if (this.#folder === undefined) return before;
    const text = await this.#onDisk(() => this.#readFrom(period, page.read));
    const whole = text.lastIndexOf('\n') + 1;
    page.read += Buffer.byteLength(text.slice(0, whole));
    for (const raw of text.slice(0, whole).split('\n')) {
      const line = lineOf(raw);
      if (!line) continue;
      if (line.id === id) before = { ...page.sums };
      take(page, line);
    }
    return before;
  }

  async #readFrom(period: string, from: number): Promise<string> {
    const file = await diskOf()
      .open(this.#file(period), 'r')
      .catch((error: NodeJS.ErrnoException) => {
        // Looking at a budget creates nothing.
        if (error.code === 'ENOENT' && from === 0) return undefined;
        throw error;
      });
    if (!file) return '';
    try {
      const { size } = await file.stat();
      if (size < from)
        throw new LoopError('store-failed', `${this.#file(period)} lost lines: it was ${from} bytes long`);
      const buffer = Buffer.alloc(size - from);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  }

  #file(period: string): string {
    return `${this.#folder}/${this.#name}${period === '' ? '' : `-${period}`}.jsonl`;
  }

  async #onDisk<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (LoopError.is(error)) throw error;
      throw new LoopError('store-failed', `the budget cannot be written to ${this.#folder}: ${error}`, {
        cause: error,
      });
    }
  }
}

/** Returns Node's file system without importing it, so that browsers can load this module. */
function diskOf(): typeof import('node:fs/promises') {
  const disk = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (disk) return disk;
  throw new LoopError('invalid-input', 'this platform has no files for a budget: leave folder out');
}

function take({ lines, sums, largest }: Page, { id, ...amount }: Line): void {
  const was = lines.get(id);
  for (const each of RESOURCE_NAMES) {
    sums[each] += amount[each] - (was?.[each] ?? 0);
    if (was) largest[each] = Math.max(largest[each], amount[each]);
  }
  // The second line of an id is its last.
  if (was) lines.delete(id);
  else lines.set(id, amount);
}

/** @throws LoopError `store-failed` for a file of another version. Torn lines were never acted on, so they are dropped. */
function lineOf(raw: string): Line | undefined {
  if (raw === '') return undefined;
  let value: Partial<Line> & { format?: unknown };
  try {
    value = JSON.parse(raw);
  } catch {
    return undefined;
  }
  if (value.format !== undefined && value.format !== FORMAT) {
    throw new LoopError('store-failed', `the budget file has format ${value.format}: this version reads ${FORMAT}`);
  }
  const { id, usd, tokens, calls } = value;
  if (typeof id !== 'string' || !isAmount(usd) || !isAmount(tokens) || !isAmount(calls)) return undefined;
  return { id, usd, tokens, calls };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}
