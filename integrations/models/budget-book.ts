import { LoopError } from 'rsi-loop';

/** Amount of tokens and of billionths of a dollar. */
export interface Spent {
  readonly tokens: number;
  readonly nanoUsd: number;
}

/** Record of a reservation, or of its settlement, which replaces it. */
interface Line extends Spent {
  readonly id: string;
}

interface Page {
  /** Reservations that are not settled. */
  readonly lines: Map<string, Spent>;
  tokens: number;
  nanoUsd: number;
  /** Bytes of the file that were read. */
  read: number;
}

/** First line of a file. */
const FORMAT = 'rsi-model-budget/1';

/**
 * Book of what a budget spent, one page for each period. With a folder, a page is a file that processes share: each
 * appends its reservation, then reads all before it. Appends have one order, so two processes never both get the last
 * part. A process that dies leaves its reservations, which stay spent.
 */
export class BudgetBook {
  readonly #folder: string | undefined;
  readonly #pages = new Map<string, Page>();
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws LoopError `invalid-input` for a folder on a platform without files. */
  constructor(folder: string | undefined) {
    if (folder !== undefined) diskOf();
    this.#folder = folder;
  }

  /** Reserves `amount` if it fits. `before` is what was spent or reserved before it. */
  reserve(period: string, amount: Spent, limit: Spent): Promise<{ id: string; before: Spent; fits: boolean }> {
    return this.#inOrder(async () => {
      const id = `${globalThis.crypto.randomUUID()}-${this.#count++}`;
      const page = this.#page(period);
      await this.#readOn(period, page);
      const isFull = (spent: Spent) =>
        spent.tokens + amount.tokens > limit.tokens || spent.nanoUsd + amount.nanoUsd > limit.nanoUsd;
      // A call that does not fit leaves no line.
      if (isFull(page)) return { id, before: { ...page }, fits: false };
      const before = await this.#write(period, page, { id, ...amount });
      if (!isFull(before)) return { id, before, fits: true };
      await this.#write(period, page, { id, tokens: 0, nanoUsd: 0 });
      return { id, before, fits: false };
    });
  }

  settle(period: string, id: string, amount: Spent): Promise<void> {
    return this.#inOrder(async () => {
      await this.#write(period, this.#page(period), { id, ...amount });
    });
  }

  spent(period: string): Promise<Spent> {
    return this.#inOrder(async () => {
      const page = this.#page(period);
      await this.#readOn(period, page);
      return { tokens: page.tokens, nanoUsd: page.nanoUsd };
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
    const page = { lines: new Map(), tokens: 0, nanoUsd: 0, read: 0 };
    this.#pages.set(period, page);
    return page;
  }

  /** Writes a line and returns the sum of all lines before it. */
  async #write(period: string, page: Page, line: Line): Promise<Spent> {
    if (this.#folder === undefined) {
      const before = { tokens: page.tokens, nanoUsd: page.nanoUsd };
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
  async #readOn(period: string, page: Page, id?: string): Promise<Spent> {
    let before: Spent = { tokens: page.tokens, nanoUsd: page.nanoUsd };
    if (this.#folder === undefined) return before;
    const text = await this.#onDisk(() => this.#readFrom(period, page.read));
    const whole = text.lastIndexOf('\n') + 1;
    page.read += Buffer.byteLength(text.slice(0, whole));
    for (const raw of text.slice(0, whole).split('\n')) {
      const line = lineOf(raw);
      if (!line) continue;
      if (line.id === id) before = { tokens: page.tokens, nanoUsd: page.nanoUsd };
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
    return `${this.#folder}/model-budget${period === '' ? '' : `-${period}`}.jsonl`;
  }

  async #onDisk<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (LoopError.is(error)) throw error;
      throw new LoopError('store-failed', `the budget of models cannot be written to ${this.#folder}: ${error}`, {
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

function take(page: Page, { id, tokens, nanoUsd }: Line): void {
  const was = page.lines.get(id);
  page.tokens += tokens - (was?.tokens ?? 0);
  page.nanoUsd += nanoUsd - (was?.nanoUsd ?? 0);
  // The second line of an id is its last.
  if (was) page.lines.delete(id);
  else page.lines.set(id, { tokens, nanoUsd });
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
  const { id, tokens, nanoUsd } = value;
  return typeof id === 'string' && isAmount(tokens) && isAmount(nanoUsd) ? { id, tokens, nanoUsd } : undefined;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}
