import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallIdentity, LoopDetector, type LoopFinding } from 'rsi-loop/loop-detector';
import type { Demand } from '../../sources/agents/demands.js';
import type { GivenRule } from '../../sources/agents/given-rules.js';
import type { SessionMemory } from '../../sources/agents/outcome.js';
import { hash } from '../../sources/hash.js';

/** Note that one hook leaves for the next hook of its session. It identifies calls and holds none of their content. */
type Note =
  | { readonly model: string }
  | { readonly promptMs: number }
  | { readonly agent: string; readonly call: CallIdentity; readonly key: string }
  /** The turn was recorded as one that repeats itself. */
  | { readonly reported: true }
  | { readonly turnFailed: boolean };

/** Part of a session that a study counts. */
export type Counted = 'turns' | 'tools';

/** Text given to a session when it began. The same text is given again when the session is resumed or compacted. */
export interface BegunSession {
  /** Present only if the loop began the session as a task. */
  readonly id?: string;
  readonly atMs: number;
  readonly model?: string;
  readonly advice: readonly string[];
  /** Lines under test that the session got, and the studies in which it takes part. */
  readonly instructions?: string;
  readonly studies?: readonly string[];
  /** Steps that lines of the studies ask for. */
  readonly demands?: readonly LineDemand[];
  /** Rules on trial that the session got, and what they ask for. */
  readonly rules?: readonly GivenRule[];
}

/** Step that one line of a study asks for. */
export interface LineDemand {
  readonly study: string;
  readonly line: number;
  readonly demand: Demand;
}

/** Returns the steps that a session is asked for, in the order in which its notes number them. */
function allDemands({ demands = [], rules = [] }: BegunSession): readonly Demand[] {
  return [...demands.map(({ demand }) => demand), ...rules.flatMap((rule) => rule.demands)];
}

// Not defined on Windows.
const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
/** Version of the notes, part of their names: hooks of another version neither read nor change them. */
const FORMAT = 1;
/** Letters of a success and of a failure. */
const LETTERS = { turns: ['t', 'T'], tools: ['c', 'C'] } as const;
/** A message of the user that rejects the turn before it. */
const CORRECTED = 'K';
/** Bytes of notes read from the end of the file: more than a hundred calls. */
const TAIL_BYTES = 32_768;
/** Size above which the file is started again with the next prompt. */
const MAX_BYTES = 1_048_576;

/**
 * Memory of a session between hooks, each of which is its own process. Each note is one line, appended in one write.
 * Hooks of parallel calls therefore do not disturb each other.
 */
export class SessionNotes {
  readonly #log: string;
  readonly #begun: string;
  /** One letter for each turn and tool call, so that long sessions are counted whole. */
  readonly #counts: string;
  /** One word for each sign in a call that a demand of the session was followed or not. */
  readonly #steps: string;
  /** Hash that identifies the session. */
  readonly key: string;

  /** The path holds a hash and never the id of the session. */
  constructor(folder: string, source: string, session: string) {
    this.key = hash(`${source}\n${session}`);
    this.#log = join(folder, `${this.key}.v${FORMAT}.log`);
    this.#begun = join(folder, `${this.key}.v${FORMAT}.begun`);
    this.#counts = join(folder, `${this.key}.v${FORMAT}.counts`);
    this.#steps = join(folder, `${this.key}.v${FORMAT}.steps`);
  }

  add(note: Note): void {
    writeTo(this.#log, O_APPEND | O_CREAT | O_WRONLY, `${JSON.stringify(note)}\n`);
  }

  memory(): SessionMemory & {
    readonly reported: boolean;
    readonly lastTurnFailed: boolean;
    /** Whether the session takes part in a study. */
    readonly isStudied: boolean;
    /** Steps that lines and rules of the session ask for. */
    readonly demands: readonly Demand[];
  } {
    const begun = this.begun();
    const memory: {
      model?: string;
      turnStartedMs?: number;
      reported: boolean;
      lastTurnFailed: boolean;
      isStudied: boolean;
      demands: readonly Demand[];
    } = {
      ...(begun?.model !== undefined && { model: begun.model }),
      reported: false,
      lastTurnFailed: false,
      isStudied: (begun?.studies?.length ?? 0) > 0,
      demands: begun ? allDemands(begun) : [],
    };
    for (const note of this.#tail()) {
      if ('model' in note) memory.model = note.model;
      else if ('promptMs' in note) Object.assign(memory, { turnStartedMs: note.promptMs, reported: false });
      else if ('reported' in note) memory.reported = true;
      else if ('turnFailed' in note) {
        memory.lastTurnFailed = note.turnFailed;
        memory.reported = false;
        delete memory.turnStartedMs;
      }
    }
    return memory;
  }

  /** Adds a call and returns the loop it completes, if any, counted from the last prompt. */
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
      // There is no file yet.
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

  /** Counts a turn or a tool call of a session that takes part in a study. */
  count(what: Counted, hasFailed: boolean): void {
    writeTo(this.#counts, O_APPEND | O_CREAT | O_WRONLY, LETTERS[what][hasFailed ? 1 : 0]);
  }

  /** Counts that the user rejected the last turn. */
  countCorrection(): void {
    writeTo(this.#counts, O_APPEND | O_CREAT | O_WRONLY, CORRECTED);
  }

  /** Returns the counts of the session. One without any counts as a single success. */
  counts(): Readonly<Record<Counted, { readonly tasks: number; readonly failures: number }>> {
    const letters = readWhole(this.#counts);
    const countsOf = ([passed, failed]: readonly [string, string], text: string) => {
      const failures = text.split(failed).length - 1;
      return { tasks: Math.max(1, failures + text.split(passed).length - 1), failures };
    };
    const [passed, failed] = LETTERS.turns;
    const turns = letters.replace(/[^tTK]/g, '').replace(new RegExp(`${passed}${CORRECTED}+`, 'g'), failed);
    return { turns: countsOf(LETTERS.turns, turns), tools: countsOf(LETTERS.tools, letters) };
  }

  addSteps(steps: readonly string[]): void {
    if (steps.length > 0) writeTo(this.#steps, O_APPEND | O_CREAT | O_WRONLY, `${steps.join(' ')} `);
  }

  steps(): readonly string[] {
    return readWhole(this.#steps).split(' ').slice(0, -1);
  }

  forget(): void {
    for (const path of [this.#log, this.#begun, this.#counts, this.#steps]) rmSync(path, { force: true });
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

function readWhole(path: string): string {
  try {
    return readFrom(path, (file) => readFileSync(file, 'utf8'));
  } catch {
    return ''; // nothing was noted
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

/** Writes in one call, so that notes of parallel calls stay whole. */
function writeTo(path: string, flags: number, text: string): void {
  const file = openSync(path, flags | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
