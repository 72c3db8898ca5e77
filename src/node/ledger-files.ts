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

/** Conflicts that are only about where to write are settled here; after so many something else is wrong. */
const MAX_ATTEMPTS = 100;
const EMPTY: LedgerHead = { length: 0, hash: '' };
const HEAD = 'head';

/**
 * The ledger without a lock. Each decision is a file of its own, named by the position of its first entry, and creating
 * that name is the compare-and-set: of two processes that decide at the same moment one finds the name taken and
 * decides again. Nothing is ever appended to or overwritten, so nobody can leave half an entry or fork the chain.
 *
 * Files gather in the folder of a part (`ledger/000000000000/`). When a part has enough of them, somebody closes it by
 * claiming its next name with a file that says so; then its files are written as one (`ledger/000000000000.jsonl`) and
 * the folder goes. A name therefore is never free again while its folder is there, and a folder that a slow process
 * makes anew beside the written part does not count.
 */
export class LedgerFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #heads: NumberedFiles;
  readonly #tell: (problem: StoreProblem) => void;
  readonly #partFiles: number;
  readonly #told = new Set<string>();
  #known = EMPTY;
  /** Every entry goes through it once, when it is first read. */
  #chain = new LedgerChain();
  #fault: LedgerFault | undefined;
  #sawDamage = false;

  constructor(
    fs: FileSystem,
    folder: string,
    options: {
      readonly heads: NumberedFiles;
      readonly tell: (problem: StoreProblem) => void;
      /** Decisions of one part before it is closed and written as one file. */
      readonly partFiles: number;
    },
  ) {
    this.#fs = fs;
    this.#folder = join(folder, 'ledger');
    this.#heads = options.heads;
    this.#tell = options.tell;
    this.#partFiles = options.partFiles;
  }

  /** Where the ledger ends. Checks the chain of the entries that were added since the last call. */
  async head(): Promise<LedgerHead> {
    // Entries are never removed, so what was known stays true: reading begins with the last known entry, which must still be there.
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
      // When it is the last entry that cannot be read, the kept head still says what the next one has to follow.
      const end = kept ?? (await this.keptHead());
      if (end !== undefined && end.length > this.#known.length) this.#known = end;
    } else if (kept) {
      this.#fault ??= compareHeads(kept, this.#known.length, () => hashAtKept);
    }
    const fault = this.#fault ?? this.#chain.unexplained()[0];
    return fault === undefined ? this.#known : { ...this.#known, broken: this.#tellBroken(fault) };
  }

  /** What cannot be read was reported as damage: the entries around it are kept, and the chain goes on after it. */
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

  /** The entries from a position on, in order. Damaged ones are told and passed over; `every` leaves out nothing else. */
  async *lines(from = 0, every = false): AsyncGenerator<LedgerLine> {
    let next = from;
    let done = -1;
    for (;;) {
      const parts = await this.#parts();
      const part = parts.find((one) => one.from > done && (done >= 0 || !parts.some(isBetween(one.from, next))));
      if (part === undefined) return;
      const texts = await this.#textsOf(part, next);
      // The folder was written as one file meanwhile: look again.
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
      // The folder may have been deleted since the ledger was read: nothing may stand without what it follows.
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

  /** What the separately kept head says; `undefined` when there is none that can be read. */
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
   * Replaces entries where they stand, file by file, each file whole or not at all. The chain goes on with the hash that the
   * entry had when it was decided, which its line keeps. Returns positions and what the changed lines hash to now.
   */
  async rewrite(
    change: (entry: LedgerEntry) => LedgerEntry,
  ): Promise<readonly { readonly position: number; readonly hash: string }[]> {
    const changed: { position: number; hash: string }[] = [];
    for (let attempt = 0, found = -1; attempt < MAX_ATTEMPTS && found !== 0; attempt++) {
      // A file that another process wrote as part of a larger one meanwhile is found there the next time.
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

  /** The files of a part that hold entries from `next` on; `undefined` when it changed its shape meanwhile. */
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

  /** Reports an entry whose checksum holds although what it says cannot be. It is passed over as a damaged one is. */
  #tellWrong(path: string, line: ParsedLine): void {
    this.#sawDamage = true;
    const what = `${path} holds an entry with the right checksum and wrong content`;
    this.#tellOnce(`${path}#${hashOf(line.rest)}`, { kind: 'damaged', message: `${what}: it is not read`, count: 1 });
  }

  /** The folder the next entry goes to; `undefined` when that has just changed. */
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

  /** Whether the file where the next entry is due says that the part is closed, or cannot be read at all. */
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
      // The folder is gone: the part was closed and written as one file meanwhile.
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** Whether what was just claimed counts: not when the folder is the leftover of a part that was written as one file. */
  async #stands(part: Part, head: LedgerHead): Promise<boolean> {
    const now = (await this.#parts()).find(({ from }) => from === part.from);
    return now?.isFolder || (await this.#find(head)) === 'there';
  }

  /** Looks for the entry a head ends with; in a damaged file it cannot be told. */
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

  /** Writes closed parts as one file each. Whatever is interrupted here, the next one to come by finishes. */
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
      // Not empty when somebody is just writing into it or left a temporary file: the next one removes it.
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

/** Ending of a file that is about to take the place of another. */
const REWRITTEN = '.rewritten';

/** A ledger with more damaged files than this has been reported enough. */
const MAX_TOLD = 1_000;

interface Part {
  readonly from: number;
  readonly path: string;
  /** One file per decision; otherwise all in one file. */
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
