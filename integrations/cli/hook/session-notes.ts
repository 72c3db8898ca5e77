import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallIdentity, LoopDetector, type LoopFinding } from '../../sources/agents/loop-detector.js';
import type { SessionMemory } from '../../sources/agents/outcome.js';
import { hash } from '../../sources/hash.js';

/** What one hook leaves for the next of its session. Identities of calls, nothing of what was in them. */
type Note =
  | { readonly model: string }
  | { readonly promptMs: number }
  | { readonly agent: string; readonly call: CallIdentity; readonly key: string }
  /** The turn was recorded as one that goes round in circles. */
  | { readonly told: true }
  | { readonly turnFailed: boolean };

/** What was handed to a session when it began, and will be handed to it again when it is resumed or compacted. */
export interface BegunSession {
  /** Only where the loop began it as a task. */
  readonly id?: string;
  readonly atMs: number;
  readonly model?: string;
  readonly advice: readonly string[];
}

// Absent on Windows.
const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
/** As far back as notes are read: more than a hundred calls. */
const TAIL_BYTES = 32_768;
/** A longer file begins anew with the next prompt. */
const MAX_BYTES = 1_048_576;

/**
 * The memory of a session between hooks, each of which is a process of its own. One line per note, appended in one write, so
 * that hooks of calls made side by side do not disturb each other.
 */
export class SessionNotes {
  readonly #log: string;
  readonly #begun: string;

  /** The id of the session is never part of a path. */
  constructor(folder: string, source: string, session: string) {
    const name = hash(`${source}\n${session}`);
    this.#log = join(folder, `${name}.log`);
    this.#begun = join(folder, `${name}.begun`);
  }

  add(note: Note): void {
    writeTo(this.#log, O_APPEND | O_CREAT | O_WRONLY, `${JSON.stringify(note)}\n`);
  }

  memory(): SessionMemory & { readonly told: boolean; readonly lastTurnFailed: boolean } {
    const begun = this.begun();
    const memory: { model?: string; turnStartedMs?: number; told: boolean; lastTurnFailed: boolean } = {
      ...(begun?.model !== undefined && { model: begun.model }),
      told: false,
      lastTurnFailed: false,
    };
    for (const note of this.#tail()) {
      if ('model' in note) memory.model = note.model;
      else if ('promptMs' in note) Object.assign(memory, { turnStartedMs: note.promptMs, told: false });
      else if ('told' in note) memory.told = true;
      else if ('turnFailed' in note) {
        memory.lastTurnFailed = note.turnFailed;
        memory.told = false;
        delete memory.turnStartedMs;
      }
    }
    return memory;
  }

  /** Notes a call and says what it is part of, since the person spoke last. */
  addCall(agent: string, call: CallIdentity, key: string): LoopFinding | undefined {
    this.add({ agent, call, key });
    const detector = new LoopDetector();
    for (const note of this.#tail()) {
      if ('promptMs' in note) detector.reset();
      if (!('call' in note) || note.agent !== agent) continue;
      const finding = detector.addIdentity(note.call);
      if (note.key === key) return finding;
    }
    return undefined;
  }

  promptGiven(atMs: number): void {
    try {
      if (fileBytes(this.#log) > MAX_BYTES) rmSync(this.#log);
    } catch {
      // There is none yet.
    }
    this.add({ promptMs: atMs });
  }

  begun(): BegunSession | undefined {
    try {
      const text = readFrom(this.#begun, (file) => readFileSync(file, 'utf8'));
      return JSON.parse(text) as BegunSession; // written below
    } catch {
      return undefined;
    }
  }

  begin(session: BegunSession): void {
    writeTo(this.#begun, O_CREAT | O_TRUNC | O_WRONLY, JSON.stringify(session));
  }

  forget(): void {
    rmSync(this.#log, { force: true });
    rmSync(this.#begun, { force: true });
  }

  #tail(): readonly Note[] {
    const notes: Note[] = [];
    for (const line of readTail(this.#log).split('\n')) {
      try {
        const note: unknown = JSON.parse(line);
        if (typeof note === 'object' && note !== null) notes.push(note as Note); // written above
      } catch {
        // The first line of the tail is cut, and the last one is empty.
      }
    }
    return notes;
  }
}

function fileBytes(path: string): number {
  return readFrom(path, (file) => fstatSync(file).size);
}

function readTail(path: string): string {
  try {
    return readFrom(path, (file) => {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      const count = readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString('utf8', 0, count);
    });
  } catch {
    return '';
  }
}

function readFrom<Result>(path: string, read: (file: number) => Result): Result {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW);
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

/** In one write, so that notes of calls made side by side stay whole. */
function writeTo(path: string, flags: number, text: string): void {
  const file = openSync(path, flags | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
