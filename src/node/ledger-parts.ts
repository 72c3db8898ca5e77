import { dirname, join } from 'node:path';
import { errorCode, ifPresent, readWhole } from './file-system.js';
import { ledgerHeader } from './ledger-line.js';
import { parseLine } from './line.js';
import { claimPath, padded } from './numbered-files.js';
import type { StoreFolder } from './store-folder.js';

/** Consecutive entries of the ledger, in one place. */
export interface Part {
  /** Position of its first entry. */
  readonly from: number;
  readonly path: string;
  /** True for one file per decision, false for a single merged file. */
  readonly isFolder: boolean;
}

/** Suffix of a file that is about to replace another. */
const REWRITTEN = '.rewritten';

/**
 * Files of the ledger. They collect in the folder of a part (`ledger/000000000000/`). When a part has enough of them, a
 * process closes it by claiming its next name with a closing file. Then its files are merged into one
 * (`ledger/000000000000.jsonl`) and the folder is removed. So a name is never free again while its folder exists. A
 * folder that a slow process recreates beside the merged part does not count.
 */
export class LedgerParts {
  readonly path: string;
  readonly #store: StoreFolder;
  readonly #partFiles: number;

  /** `partFiles` is the number of decisions after which a part is closed and merged into one file. */
  constructor(store: StoreFolder, partFiles: number) {
    this.path = store.inside('ledger');
    this.#store = store;
    this.#partFiles = partFiles;
  }

  /** Lists the parts in ascending order. */
  async list(): Promise<readonly Part[]> {
    const names = (await ifPresent(this.#store.fs.readdir(this.path))) ?? [];
    const parts = new Map<number, Part>();
    for (const name of names) {
      const [, digits, ending] = /^(\d{12})(\.jsonl)?$/.exec(name) ?? [];
      if (digits === undefined) continue;
      const from = Number(digits);
      // Once a part is one file, its folder is a leftover.
      if (ending !== undefined || !parts.has(from)) {
        parts.set(from, { from, path: join(this.path, name), isFolder: ending === undefined });
      }
    }
    return [...parts.values()].sort((a, b) => a.from - b.from);
  }

  /** Returns the files of a part that hold entries from `next` on; `undefined` if the part was merged meanwhile. */
  async textsOf(part: Part, next: number): Promise<readonly { path: string; text: string }[] | undefined> {
    const froms = part.isFolder ? await this.#namesIn(part) : undefined;
    if (part.isFolder && froms === undefined) return undefined;
    const first = froms?.findLast((from) => from <= next) ?? 0;
    const paths = froms?.filter((from) => from >= first).map((from) => pathIn(part, from)) ?? [part.path];
    const texts: { path: string; text: string }[] = [];
    for (const path of paths) {
      const bytes = await readWhole(this.#store.fs, path);
      if (bytes === undefined) return undefined;
      texts.push({ path, text: bytes.toString('utf8') });
    }
    return texts;
  }

  /** Returns the folder for the next entry; `undefined` if that has just changed. */
  async open(length: number): Promise<Part | undefined> {
    const last = (await this.list()).at(-1);
    if (last?.isFolder) {
      const names = (await this.#namesIn(last)) ?? [];
      const isClosed = names.at(-1) === length && (await this.#closes(last, length));
      if (!isClosed && names.length < this.#partFiles) return last;
      const closing = Buffer.from(`${ledgerHeader(length, true)}\n`);
      if (!isClosed && !(await this.claim(last, length, closing))) return undefined;
    }
    const path = join(this.path, padded(length));
    await this.#store.fs.mkdir(path);
    await this.#store.fs.fsyncFolder(this.path);
    await this.#store.fs.fsyncFolder(this.#store.path);
    await this.#mergeBefore(length);
    return { from: length, path, isFolder: true };
  }

  /** Creates the file at a position. Returns false if another process was faster. */
  async claim(part: Part, position: number, bytes: Buffer): Promise<boolean> {
    try {
      return await claimPath(this.#store.fs, part.path, pathIn(part, position), bytes, { durable: true });
    } catch (error) {
      // The folder is gone: the part was closed and merged into one file meanwhile.
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** Removes a claimed file that does not count. */
  async withdraw(part: Part, position: number): Promise<void> {
    await ifPresent(this.#store.fs.unlink(pathIn(part, position)));
  }

  /** Returns whether the part still collects files. */
  async isCollecting(part: Part): Promise<boolean> {
    return (await this.list()).find(({ from }) => from === part.from)?.isFolder === true;
  }

  /** Replaces a file atomically. */
  async replace(path: string, bytes: Buffer): Promise<void> {
    const aside = `${path}${REWRITTEN}`;
    await ifPresent(this.#store.fs.unlink(aside));
    await claimPath(this.#store.fs, this.path, aside, bytes, { durable: true });
    await this.#store.fs.rename(aside, path);
    await this.#store.fs.fsyncFolder(dirname(path));
  }

  async #namesIn(part: Part): Promise<number[] | undefined> {
    const names = await ifPresent(this.#store.fs.readdir(part.path));
    return names
      ?.map((name) => /^(\d{12})\.jsonl$/.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => a - b);
  }

  /** Returns whether the file at the next entry's position closes the part, or cannot be read at all. */
  async #closes(part: Part, position: number): Promise<boolean> {
    const bytes = await readWhole(this.#store.fs, pathIn(part, position));
    const header = bytes && parseLine(bytes.toString('utf8').split('\n', 1)[0] ?? '');
    return bytes !== undefined && (header === undefined || header.value.closed === true);
  }

  /** Merges each closed part into one file. If this is interrupted, the next process that gets here finishes it. */
  async #mergeBefore(openFrom: number): Promise<void> {
    const { fs } = this.#store;
    const names = (await ifPresent(fs.readdir(this.path))) ?? [];
    for (const name of names) {
      if (!/^\d{12}$/.test(name) || Number(name) >= openFrom) continue;
      const part: Part = { from: Number(name), path: join(this.path, name), isFolder: true };
      const texts = await this.textsOf(part, 0);
      if (texts === undefined) continue;
      if (!names.includes(`${name}.jsonl`)) {
        const body = texts.map(({ text }) => text.slice(text.indexOf('\n') + 1)).join('');
        const bytes = Buffer.from(`${ledgerHeader(part.from)}\n${body}`);
        await claimPath(fs, this.path, `${part.path}.jsonl`, bytes, { durable: true });
      }
      for (const { path } of texts) await ifPresent(fs.unlink(path));
      // Fails if another process is writing into it or left a temporary file; the next call removes it.
      await fs.rmdir(part.path).catch(() => undefined);
    }
  }
}

function pathIn(part: Part, from: number): string {
  return join(part.path, `${padded(from)}.jsonl`);
}
