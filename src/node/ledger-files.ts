import { dirname, join } from 'node:path';
import { LoopError } from '../contract/errors.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { AppendResult, LedgerHead, StoreProblem } from '../contract/store.js';
import { isLedgerEntry } from './check-entry.js';
import { isPosition } from './check-record.js';
import { errorCode, type FileSystem, ifPresent, readWhole } from './file-system.js';
import { hashOf } from './hash-of.js';
import { compareHeads, LedgerChain, type LedgerFault, type LedgerLine } from './ledger-chain.js';
import { FORMAT, openFile, type ParsedLine, parseLine, salvageLines, sealFile, sealLine } from './line.js';
import { claimPath, type NumberedFiles, padded } from './numbered-files.js';

/** Retries after conflicts about the file to write to. After this many, something else is wrong. */
const MAX_ATTEMPTS = 100;
const EMPTY: LedgerHead = { length: 0, hash: '' };
const HEAD = 'head';

/**
 * Lock-free ledger. Each decision is a file of its own, named by the position of its first entry. Creating that name is
 * the compare-and-set: if two processes decide at the same moment, one finds the name taken and decides again. Files
 * are never appended to or overwritten, so no process can leave half an entry or fork the chain.
 *
 * Files collect in the folder of a part (`ledger/000000000000/`). When a part has enough of them, a process closes it
 * by claiming its next name with a closing file. Then its files are merged into one (`ledger/000000000000.jsonl`) and
 * the folder is removed. So a name is never free again while its folder exists. A folder that a slow process recreates
 * beside the merged part does not count.
 */
export class LedgerFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #heads: NumberedFiles;
  readonly #tell: (problem: StoreProblem) => void;
  readonly #partFiles: number;
  readonly #told = new Set<string>();
  #known = EMPTY;
  /** Checks every entry once, when it is first read. */
  #chain = new LedgerChain();
  #fault: LedgerFault | undefined;
  #sawDamage = false;

  constructor(
    fs: FileSystem,
    folder: string,
    options: {
      readonly heads: NumberedFiles;
      readonly tell: (problem: StoreProblem) => void;
      /** Number of decisions after which a part is closed and merged into one file. */
      readonly partFiles: number;
    },
  ) {
    this.#fs = fs;
    this.#folder = join(folder, 'ledger');
    this.#heads = options.heads;
    this.#tell = options.tell;
    this.#partFiles = options.partFiles;
  }

  /** Returns the end of the ledger. Checks the chain of the entries that were added since the last call. */
  async head(): Promise<LedgerHead> {
    // Entries are never removed. So reading begins with the last known entry, which must still be there.
    this.#sawDamage = false;
    const known = this.#known;
    // Read first: entries are written before the head that counts them.
    const kept = known.length === 0 ? await this.keptHead() : undefined;
    let hashAtKept: string | undefined;
    let isThere = known.length === 0;
    for await (const line of this.lines(Math.max(0, known.length - 1))) {
      const { position, hash } = line;
      if (position === known.length - 1) isThere = hash === known.hash;
      if (!isThere && !this.#sawDamage) break;
      this.#known = { length: position + 1, hash };
      if (position + 1 === kept?.length) hashAtKept = hash;
      if (position >= known.length) this.#check(line);
    }
    if (!isThere && !this.#sawDamage) this.#giveUp(known);
    if (this.#sawDamage) {
      // If the last entry cannot be read, the stored head still says which hash the next one has to follow.
      const end = kept ?? (await this.keptHead());
      if (end !== undefined && end.length > this.#known.length) this.#known = end;
    } else if (kept) {
      this.#fault ??= compareHeads(kept, this.#known.length, () => hashAtKept);
    }
    const fault = this.#fault ?? this.#chain.unexplained()[0];
    return fault === undefined ? this.#known : { ...this.#known, broken: this.#tellBroken(fault) };
  }

  /** Checks one entry. Unreadable entries were reported as damage; the chain continues after them. */
  #check(line: LedgerLine): void {
    if (this.#sawDamage && line.position > this.#chain.head.length) this.#chain.goOnAfter(beforeOf(line));
    this.#chain.take(line);
    this.#fault ??= this.#chain.faults[0];
  }

  #tellBroken({ message }: LedgerFault): string {
    const broken = `the chain of the ledger is broken: ${message}`;
    const advice = 'no trial runs and no advice is given: run "rsi doctor"';
    this.#tellOnce(`chain: ${message}`, { kind: 'damaged', message: `${this.#folder}: ${broken}; ${advice}` });
    return broken;
  }

  /**
   * Yields the entries from a position on, in order. Reports and skips damaged ones. With `every`, also yields repeated
   * ones.
   */
  async *lines(from = 0, every = false): AsyncGenerator<LedgerLine> {
    let next = from;
    let done = -1;
    for (;;) {
      const parts = await this.#parts();
      const part = parts.find((one) => one.from > done && (done >= 0 || !parts.some(isBetween(one.from, next))));
      if (part === undefined) return;
      const texts = await this.#textsOf(part, next);
      // The folder was merged into one file meanwhile: look again.
      if (texts === undefined) continue;
      done = part.from;
      for (const { path, text } of texts) {
        for (const line of this.#linesIn(text, path)) {
          if (line.position < next && !every) continue;
          yield line;
          next = line.position + 1;
        }
      }
    }
  }

  async decide(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult> {
    const { bytes, head } = this.#encode(entries, after);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const now = await this.head();
      if (now.length !== after.length || now.hash !== after.hash) return { kind: 'conflict', head: now };
      if (entries.length === 0) return { kind: 'ok', head: now };
      const part = await this.#openPart(after.length);
      if (part === undefined || !(await this.#claim(part, after.length, bytes))) continue;
      if (!(await this.#stands(part, head))) continue;
      // The folder may have been deleted since the ledger was read: an entry must not exist without its predecessor.
      if ((await this.#find(after)) === 'absent') {
        await ifPresent(this.#fs.unlink(join(part.path, fileName(after.length))));
        this.#giveUp(after);
      }
      this.#known = head;
      this.#chain.goOnAfter(head);
      await this.#keepHead(head);
      if ((await this.#find(head)) === 'absent') {
        await ifPresent(this.#fs.unlink(this.#heads.path(HEAD, head.length)));
        this.#giveUp(head);
      }
      return { kind: 'ok', head };
    }
    throw new LoopError('store-failed', `${this.#folder} gives no place for entry ${after.length}: check the folder`);
  }

  /** Returns the separately stored head; `undefined` if none can be read. */
  async keptHead(): Promise<LedgerHead | undefined> {
    for (const number of (await this.#heads.numbers(HEAD)).reverse()) {
      const path = this.#heads.path(HEAD, number);
      const bytes = await readWhole(this.#fs, path);
      if (bytes === undefined) continue;
      const content = openFile('head', bytes);
      const { length, hash } = content.kind === 'intact' ? content.value : { length: undefined, hash: undefined };
      if (typeof length === 'number' && typeof hash === 'string') return { length, hash };
      this.#tellOnce(path, { kind: 'damaged', message: `${path} is damaged: the ledger itself is used`, count: 1 });
    }
    return undefined;
  }

  async #keepHead(head: LedgerHead): Promise<void> {
    const bytes = sealFile('head', `"length":${head.length},"hash":"${head.hash}"}`);
    await this.#heads.claim(HEAD, head.length, bytes, { durable: true });
    await this.#heads.removeBelow(HEAD, head.length);
  }

  /**
   * Replaces entries in place, file by file, each file atomically. The chain continues with the original hash of the
   * entry, which its line keeps. Returns the positions and new hashes of the changed lines.
   */
  async rewrite(
    change: (entry: LedgerEntry) => LedgerEntry,
  ): Promise<readonly { readonly position: number; readonly hash: string }[]> {
    const changed: { position: number; hash: string }[] = [];
    for (let attempt = 0, found = -1; attempt < MAX_ATTEMPTS && found !== 0; attempt++) {
      // Another process may merge a file into a larger one meanwhile; the next attempt finds it there.
      found = 0;
      for (const part of await this.#parts()) {
        for (const { path, text } of (await this.#textsOf(part, 0)) ?? []) {
          const lines = text.split('\n').map((raw) => {
            const line = parseLine(raw);
            const known = line && ledgerLine(line, raw);
            const entry = known && change(known.entry);
            if (known === undefined || entry === undefined || entry === known.entry) return raw;
            const { position, previous, hash } = known;
            const rest = `"n":${position},"prev":"${previous}","was":"${hash}","entry":${JSON.stringify(entry)}}`;
            changed.push({ position, hash: hashOf(rest) });
            found++;
            return sealLine(rest);
          });
          if (lines.join('\n') !== text) await this.#replace(path, Buffer.from(lines.join('\n')));
        }
      }
    }
    return changed;
  }

  async #replace(path: string, bytes: Buffer): Promise<void> {
    const aside = `${path}${REWRITTEN}`;
    await ifPresent(this.#fs.unlink(aside));
    await claimPath(this.#fs, this.#folder, aside, bytes, { durable: true });
    await this.#fs.rename(aside, path);
    await this.#fs.fsyncFolder(dirname(path));
  }

  #encode(entries: readonly LedgerEntry[], after: LedgerHead): { readonly bytes: Buffer; readonly head: LedgerHead } {
    const lines = [headerLine(after.length)];
    let { length, hash } = after;
    for (const entry of entries) {
      const rest = `"n":${length},"prev":"${hash}","entry":${JSON.stringify(entry)}}`;
      lines.push(sealLine(rest));
      hash = hashOf(rest);
      length++;
    }
    return { bytes: Buffer.from(`${lines.join('\n')}\n`), head: { length, hash } };
  }

  async #parts(): Promise<readonly Part[]> {
    const names = (await ifPresent(this.#fs.readdir(this.#folder))) ?? [];
    const parts = new Map<number, Part>();
    for (const name of names) {
      const [, digits, ending] = /^(\d{12})(\.jsonl)?$/.exec(name) ?? [];
      if (digits === undefined) continue;
      const from = Number(digits);
      // Once a part is one file, its folder is a leftover.
      if (ending !== undefined || !parts.has(from)) {
        parts.set(from, { from, path: join(this.#folder, name), isFolder: ending === undefined });
      }
    }
    return [...parts.values()].sort((a, b) => a.from - b.from);
  }

  /** Returns the files of a part that hold entries from `next` on; `undefined` if the part was merged meanwhile. */
  async #textsOf(part: Part, next: number): Promise<readonly { path: string; text: string }[] | undefined> {
    const froms = part.isFolder ? await this.#namesIn(part) : undefined;
    if (part.isFolder && froms === undefined) return undefined;
    const first = froms?.findLast((from) => from <= next) ?? 0;
    const paths = froms?.filter((from) => from >= first).map((from) => join(part.path, fileName(from))) ?? [part.path];
    const texts: { path: string; text: string }[] = [];
    for (const path of paths) {
      const bytes = await readWhole(this.#fs, path);
      if (bytes === undefined) return undefined;
      texts.push({ path, text: bytes.toString('utf8') });
    }
    return texts;
  }

  async #namesIn(part: Part): Promise<number[] | undefined> {
    const names = await ifPresent(this.#fs.readdir(part.path));
    return names
      ?.map((name) => /^(\d{12})\.jsonl$/.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => a - b);
  }

  *#linesIn(text: string, path: string): Generator<LedgerLine> {
    for (const raw of text.split('\n')) {
      if (raw === '') continue;
      const parsed = parseLine(raw);
      if (parsed === undefined) {
        this.#sawDamage = true;
        this.#tellOnce(path, { kind: 'damaged', message: `${path} holds a damaged entry: run "rsi doctor"`, count: 1 });
      }
      for (const line of parsed === undefined ? salvageLines(raw).lines : [parsed]) {
        if (line.value.kind === 'ledger') {
          if (typeof line.value.format === 'number' && line.value.format > FORMAT) {
            const message = `${path} has format ${line.value.format}, this version reads ${FORMAT}: upgrade this package`;
            throw new LoopError('store-failed', message);
          }
          continue;
        }
        const entry = ledgerLine(line, raw);
        if (entry !== undefined) yield entry;
        else this.#tellWrong(path, line);
      }
    }
  }

  /** Reports an entry whose checksum holds but whose content is invalid. It is skipped like a damaged one. */
  #tellWrong(path: string, line: ParsedLine): void {
    this.#sawDamage = true;
    const what = `${path} holds an entry with the right checksum and wrong content`;
    this.#tellOnce(`${path}#${hashOf(line.rest)}`, { kind: 'damaged', message: `${what}: it is not read`, count: 1 });
  }

  /** Returns the folder for the next entry; `undefined` if that has just changed. */
  async #openPart(length: number): Promise<Part | undefined> {
    const last = (await this.#parts()).at(-1);
    if (last?.isFolder) {
      const names = (await this.#namesIn(last)) ?? [];
      const isClosed = names.at(-1) === length && (await this.#closes(last, length));
      if (!isClosed && names.length < this.#partFiles) return last;
      if (!isClosed && !(await this.#claim(last, length, Buffer.from(`${headerLine(length, true)}\n`))))
        return undefined;
    }
    const path = join(this.#folder, padded(length));
    await this.#fs.mkdir(path);
    await this.#fs.fsyncFolder(this.#folder);
    await this.#fs.fsyncFolder(join(this.#folder, '..'));
    await this.#tidy(length);
    return { from: length, path, isFolder: true };
  }

  /** Returns whether the file at the next entry's position closes the part, or cannot be read at all. */
  async #closes(part: Part, position: number): Promise<boolean> {
    const bytes = await readWhole(this.#fs, join(part.path, fileName(position)));
    const header = bytes && parseLine(bytes.toString('utf8').split('\n', 1)[0] ?? '');
    return bytes !== undefined && (header === undefined || header.value.closed === true);
  }

  async #claim(part: Part, position: number, bytes: Buffer): Promise<boolean> {
    try {
      const path = join(part.path, fileName(position));
      return await claimPath(this.#fs, part.path, path, bytes, { durable: true });
    } catch (error) {
      // The folder is gone: the part was closed and merged into one file meanwhile.
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** Returns whether the claimed entry counts. It does not if its folder is the leftover of a merged part. */
  async #stands(part: Part, head: LedgerHead): Promise<boolean> {
    const now = (await this.#parts()).find(({ from }) => from === part.from);
    return now?.isFolder || (await this.#find(head)) === 'there';
  }

  /** Looks for the last entry that a head counts; `unknown` if its file is damaged. */
  async #find({ length, hash }: LedgerHead): Promise<'there' | 'absent' | 'unknown'> {
    if (length === 0) return 'there';
    this.#sawDamage = false;
    for await (const line of this.lines(length - 1)) {
      if (line.position === length - 1 && line.hash === hash) return 'there';
      break;
    }
    return this.#sawDamage ? 'unknown' : 'absent';
  }

  #giveUp(known: LedgerHead): never {
    this.#known = EMPTY;
    this.#chain = new LedgerChain();
    this.#fault = undefined;
    const message = `${this.#folder} was deleted, moved or replaced: the ${known.length} decisions known so far are not in it`;
    this.#tell({ kind: 'replaced', message, count: known.length });
    throw new LoopError('store-replaced', message);
  }

  /** Merges each closed part into one file. If this is interrupted, the next process that gets here finishes it. */
  async #tidy(openFrom: number): Promise<void> {
    const names = (await ifPresent(this.#fs.readdir(this.#folder))) ?? [];
    for (const name of names) {
      if (!/^\d{12}$/.test(name) || Number(name) >= openFrom) continue;
      const part: Part = { from: Number(name), path: join(this.#folder, name), isFolder: true };
      const texts = await this.#textsOf(part, 0);
      if (texts === undefined) continue;
      if (!names.includes(`${name}.jsonl`)) {
        const body = texts.map(({ text }) => text.slice(text.indexOf('\n') + 1)).join('');
        const bytes = Buffer.from(`${headerLine(part.from)}\n${body}`);
        await claimPath(this.#fs, this.#folder, `${part.path}.jsonl`, bytes, { durable: true });
      }
      for (const { path } of texts) await ifPresent(this.#fs.unlink(path));
      // Fails if another process is writing into it or left a temporary file; the next call removes it.
      await this.#fs.rmdir(part.path).catch(() => undefined);
    }
  }

  #tellOnce(key: string, problem: StoreProblem): void {
    if (this.#told.has(key) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(key);
    this.#tell(problem);
  }
}

const beforeOf = ({ position, previous }: LedgerLine): LedgerHead => ({ length: position, hash: previous });

/** Suffix of a file that is about to replace another. */
const REWRITTEN = '.rewritten';

/** Maximum number of distinct problems reported; a ledger with more damaged files has been reported enough. */
const MAX_TOLD = 1_000;

interface Part {
  readonly from: number;
  readonly path: string;
  /** True for one file per decision, false for a single merged file. */
  readonly isFolder: boolean;
}

/** Whether a part begins after `from` and not after `next`: then `from` is not the part that holds `next`. */
function isBetween(from: number, next: number): (part: Part) => boolean {
  return (part) => part.from > from && part.from <= next;
}

function fileName(from: number): string {
  return `${padded(from)}.jsonl`;
}

function headerLine(from: number, closed = false): string {
  return sealLine(`"format":${FORMAT},"kind":"ledger","from":${from}${closed ? ',"closed":true' : ''}}`);
}

function ledgerLine(line: ParsedLine, text: string): LedgerLine | undefined {
  const { n, prev, was, entry } = line.value;
  if (!isPosition(n) || typeof prev !== 'string' || !isLedgerEntry(entry)) return undefined;
  // Checked field by field, which the compiler cannot see.
  const now = hashOf(line.rest);
  const changed = typeof was === 'string' ? { changedTo: now } : {};
  const hash = typeof was === 'string' ? was : now;
  return { position: n, previous: prev, hash, entry: entry as LedgerEntry, text, ...changed };
}
