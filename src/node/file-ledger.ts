import { LoopError } from '../contract/errors.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { AppendResult, LedgerHead, LedgerLog, StoredEntry } from '../contract/ledger-log.js';
import { ifPresent, readWhole } from './file-system.js';
import { FORMAT, otherFormat } from './format.js';
import { hashOf } from './hash-of.js';
import { compareHeads, LedgerChain, type LedgerFault } from './ledger-chain.js';
import { encodeEntries, type LedgerLine, readEntry, replaceEntry } from './ledger-line.js';
import { LedgerParts, type Part } from './ledger-parts.js';
import { openFile, type ParsedLine, parseLine, salvageLines, sealFile } from './line.js';
import type { NumberedFiles } from './numbered-files.js';
import type { StoreFolder } from './store-folder.js';

/** Retries after conflicts about the file to write to. After this many, something else is wrong. */
const MAX_ATTEMPTS = 100;
const EMPTY: LedgerHead = { length: 0, hash: '' };
const HEAD = 'head';
/** Longer ledgers are read again instead, which takes less memory. */
const MAX_AHEAD = 100_000;

/**
 * Lock-free ledger. Each decision is a file of its own, named by the position of its first entry. Creating that name is
 * the compare-and-set: if two processes decide at the same moment, one finds the name taken and decides again. Files
 * are never appended to or overwritten, so no process can leave half an entry or fork the chain.
 */
export class FileLedger implements LedgerLog {
  readonly #folder: StoreFolder;
  readonly #parts: LedgerParts;
  readonly #heads: NumberedFiles;
  readonly #onErased: () => void;
  #known = EMPTY;
  /** Checks every entry once, when it is first read. */
  #chain = new LedgerChain();
  #fault: LedgerFault | undefined;
  #sawDamage = false;
  /** Entries that `head` has just read, for the `read` after it, so that a start reads the ledger once. */
  #ahead: StoredEntry[] = [];

  /** Calls `onErased` when an erasure by any process is read. */
  constructor(
    folder: StoreFolder,
    { partFiles = 1, onErased = () => {} }: { readonly partFiles?: number; readonly onErased?: () => void } = {},
  ) {
    this.#folder = folder;
    this.#parts = new LedgerParts(folder, partFiles);
    this.#heads = folder.numbered('head');
    this.#onErased = onErased;
  }

  /** Returns the end of the ledger. Checks the chain of the entries that were added since the last call. */
  async head(): Promise<LedgerHead> {
    await this.#folder.prepare();
    // Entries are never removed. So reading begins with the last known entry, which must still be there.
    this.#sawDamage = false;
    const known = this.#known;
    // Read first: entries are written before the head that counts them.
    const kept = known.length === 0 ? await this.keptHead() : undefined;
    const hashAtKept = await this.#readOn(known, kept);
    if (this.#sawDamage) {
      // If the last entry cannot be read, the stored head still says which hash the next one has to follow.
      const end = kept ?? (await this.keptHead());
      if (end !== undefined && end.length > this.#known.length) this.#known = end;
    } else if (kept) {
      this.#fault ??= compareHeads(kept, this.#known.length, () => hashAtKept);
    } else if (known.length === 0 && this.#known.length > 1 && (await this.keptHead()) === undefined) {
      // A process that is killed at its first entry leaves none. Another one may replace the head at this moment.
      const message = `${this.#heads.path(HEAD, this.#known.length)}: the head of the ledger is missing: run "rsi doctor"`;
      this.#folder.reportOnce({ kind: 'damaged', message });
    }
    const fault = this.#fault ?? this.#chain.unexplained()[0];
    return fault === undefined ? this.#known : { ...this.#known, broken: this.#tellBroken(fault) };
  }

  /**
   * Reads the entries that follow the known ones. Returns the hash at the length of the stored head.
   * @throws LoopError `store-replaced` if the last known entry is not there.
   */
  async #readOn(known: LedgerHead, kept: LedgerHead | undefined): Promise<string | undefined> {
    const ahead: StoredEntry[] = [];
    let hashAtKept: string | undefined;
    let isThere = known.length === 0;
    for await (const line of this.lines(Math.max(0, known.length - 1))) {
      const { position, hash } = line;
      if (position === known.length - 1) isThere = hash === known.hash;
      if (!isThere && !this.#sawDamage) break;
      this.#known = { length: position + 1, hash };
      if (position + 1 === kept?.length) hashAtKept = hash;
      if (position < known.length) continue;
      this.#check(line);
      if (ahead.length <= MAX_AHEAD) ahead.push({ position, entry: line.entry });
    }
    this.#ahead = ahead.length > MAX_AHEAD ? [] : ahead;
    if (!isThere && !this.#sawDamage) this.#giveUp(known);
    return hashAtKept;
  }

  /** Checks one entry. Unreadable entries were reported as damage; the chain continues after them. */
  #check(line: LedgerLine): void {
    // A call side by side read it first: `lines` never yields a position twice.
    if (line.position < this.#chain.head.length) return;
    if (this.#sawDamage && line.position > this.#chain.head.length) this.#chain.goOnAfter(beforeOf(line));
    this.#chain.take(line);
    this.#fault ??= this.#chain.faults[0];
  }

  #tellBroken({ message }: LedgerFault): string {
    const broken = `the chain of the ledger is broken: ${message}`;
    const advice = 'no trial runs and no advice is given: run "rsi doctor"';
    this.#folder.reportOnce({ kind: 'damaged', message: `${this.#parts.path}: ${broken}; ${advice}` });
    return broken;
  }

  async *read(from = 0, upTo = Number.POSITIVE_INFINITY): AsyncGenerator<StoredEntry> {
    await this.#folder.prepare();
    const ahead = this.#ahead;
    this.#ahead = [];
    const isRead = ahead[0]?.position === from && upTo <= (ahead.at(-1)?.position ?? 0) + 1;
    for await (const { position, entry } of isRead ? ahead : this.lines(from)) {
      if (position >= upTo) return;
      if (entry.kind === 'erased') this.#onErased();
      yield { position, entry };
    }
  }

  /**
   * Yields the entries from a position on, in order. Reports and skips damaged ones. With `every`, also yields repeated
   * ones.
   */
  async *lines(from = 0, every = false): AsyncGenerator<LedgerLine> {
    let next = from;
    let done = -1;
    for (;;) {
      const parts = await this.#parts.list();
      const part = parts.find((one) => one.from > done && (done >= 0 || !parts.some(isBetween(one.from, next))));
      if (part === undefined) return;
      const texts = await this.#parts.textsOf(part, next);
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

  async append(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult> {
    this.#folder.mustBeOpen();
    const { bytes, head } = encodeEntries(entries, after);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const now = await this.head();
      if (now.length !== after.length || now.hash !== after.hash) return { kind: 'conflict', head: now };
      if (entries.length === 0) return { kind: 'ok', head: now };
      const part = await this.#parts.open(after.length);
      if (part === undefined || !(await this.#parts.claim(part, after.length, bytes))) continue;
      if (!(await this.#counts(part, head))) continue;
      // The folder may have been deleted since the ledger was read: an entry must not exist without its predecessor.
      if ((await this.#find(after)) === 'absent') {
        await this.#parts.withdraw(part, after.length);
        this.#giveUp(after);
      }
      this.#known = head;
      this.#chain.goOnAfter(head);
      await this.#keepHead(head);
      if ((await this.#find(head)) === 'absent') {
        await ifPresent(this.#folder.fs.unlink(this.#heads.path(HEAD, head.length)));
        this.#giveUp(head);
      }
      return { kind: 'ok', head };
    }
    throw new LoopError(
      'store-failed',
      `${this.#parts.path} gives no place for entry ${after.length}: check the folder`,
    );
  }

  /** Returns the separately stored head; `undefined` if none can be read. */
  async keptHead(): Promise<LedgerHead | undefined> {
    for (const number of (await this.#heads.numbers(HEAD)).reverse()) {
      const path = this.#heads.path(HEAD, number);
      const bytes = await readWhole(this.#folder.fs, path);
      if (bytes === undefined) continue;
      const content = openFile('head', bytes);
      const { length, hash } = content.kind === 'intact' ? content.value : { length: undefined, hash: undefined };
      if (typeof length === 'number' && typeof hash === 'string') return { length, hash };
      if (content.kind === 'other-format') {
        this.#folder.reportOnce({ kind: 'foreign', message: otherFormat('head', path, content.format) });
      } else {
        const message = `${path} is damaged: the ledger itself is used`;
        this.#folder.reportOnce({ kind: 'damaged', message, count: 1 });
      }
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
      for (const part of await this.#parts.list()) {
        for (const { path, text } of (await this.#parts.textsOf(part, 0)) ?? []) {
          const lines = text.split('\n').map((raw) => {
            const line = parseLine(raw);
            const known = line && readEntry(line, raw);
            const entry = known && change(known.entry);
            if (known === undefined || entry === undefined || entry === known.entry) return raw;
            const replaced = replaceEntry(known, entry);
            changed.push({ position: known.position, hash: replaced.hash });
            found++;
            return replaced.line;
          });
          if (lines.join('\n') !== text) await this.#parts.replace(path, Buffer.from(lines.join('\n')));
        }
      }
    }
    return changed;
  }

  *#linesIn(text: string, path: string): Generator<LedgerLine> {
    for (const raw of text.split('\n')) {
      if (raw === '') continue;
      const parsed = parseLine(raw);
      for (const line of parsed === undefined ? this.#salvage(raw, path) : [parsed]) {
        if (isHeader(line, path)) continue;
        const entry = readEntry(line, raw);
        if (entry !== undefined) yield entry;
        else this.#tellWrong(path, line);
      }
    }
  }

  /** Reports a damaged line, and returns the intact lines inside it. */
  #salvage(raw: string, path: string): readonly ParsedLine[] {
    this.#sawDamage = true;
    const message = `${path} holds a damaged entry: run "rsi doctor"`;
    this.#folder.reportOnce({ kind: 'damaged', message, count: 1 });
    return salvageLines(raw).lines;
  }

  /** Reports an entry whose checksum holds but whose content is invalid. It is skipped like a damaged one. */
  #tellWrong(path: string, line: ParsedLine): void {
    this.#sawDamage = true;
    const what = `${path} holds an entry with the right checksum and wrong content`;
    this.#folder.reportOnce({ kind: 'damaged', message: `${what}: it is not read`, count: 1 }, hashOf(line.rest));
  }

  /** Returns whether the claimed entry counts. It does not if its folder is the leftover of a merged part. */
  async #counts(part: Part, head: LedgerHead): Promise<boolean> {
    return (await this.#parts.isCollecting(part)) || (await this.#find(head)) === 'there';
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
    const message = `${this.#parts.path} was deleted, moved or replaced: the ${known.length} decisions known so far are not in it`;
    this.#folder.report({ kind: 'replaced', message, count: known.length });
    throw new LoopError('store-replaced', message);
  }
}

const beforeOf = ({ position, previous }: LedgerLine): LedgerHead => ({ length: position, hash: previous });

/**
 * Returns whether a line is the first one of a ledger file.
 * @throws LoopError `store-failed` if another version wrote the file.
 */
function isHeader({ value: { kind, format } }: ParsedLine, path: string): boolean {
  if (kind !== 'ledger') return false;
  if (format !== FORMAT) throw new LoopError('store-failed', otherFormat('ledger', path, format));
  return true;
}

/** Whether a part begins after `from` and not after `next`: then `from` is not the part that holds `next`. */
function isBetween(from: number, next: number): (part: Part) => boolean {
  return (part) => part.from > from && part.from <= next;
}
