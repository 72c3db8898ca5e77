import { lstatSync, readFileSync } from 'node:fs';
import { lstat, readdir, unlink } from 'node:fs/promises';
import type { BeginOptions, Clock, OpenTask, Outcome, RSILoop } from 'rsi-loop';
import type { PinnedDirectory } from 'rsi-loop/node';
import { hash } from '../hash.js';
import { timedId } from '../timed-id.js';
import { type BeginRequest, heldNames, readRequest } from './begin-request.js';
import { ifThere } from './drop-files.js';
import { readBytes, TextFiles, writeWhole } from './text-files.js';

/** Answer to a program that begins a task, as the file `begun/<name>.json` holds it. */
interface BegunFile extends Pick<OpenTask, 'policy' | 'advice' | 'deadlineMs'> {
  /** Id that the outcome of the task names. */
  readonly id: string;
  readonly task: string;
  readonly session?: string;
  /** Version of each text for this task, and the file that holds it. */
  readonly prompts: Readonly<Record<string, { readonly version: string; readonly file: string }>>;
}

interface BeginningsOptions {
  readonly loop: RSILoop;
  readonly clock: Clock;
  /** Time after which a request that is not valid JSON counts as complete. */
  readonly settleMs: number;
  readonly report: (message: string) => void;
}

const SOURCE = 'drop-folder';
const REQUEST = /^([\w-][\w.-]{0,99})\.json$/i;
const ID = /^[0-9a-z]{9,}-[0-9a-z]+\.([\w-][\w.-]{0,99})$/i;
const MAX_REQUESTS = 1_000;
const MAX_OPEN = 10_000;
const MAX_BYTES = 65_536;
const MAX_ANSWER_BYTES = 1_048_576;
const SWEEP_MS = 600_000;

interface Folders {
  readonly begin: PinnedDirectory;
  readonly begun: PinnedDirectory;
  readonly texts: PinnedDirectory;
  readonly prompts?: PinnedDirectory;
}

/**
 * Tasks that programs begin by files. A program writes `begin/<name>.json`, and reads the answer in
 * `begun/<name>.json`: the texts, settings and rules for this task and its session. Its outcome names the id of the
 * answer. Nothing happens in a folder without `begin/`.
 */
export class Beginnings {
  readonly #options: BeginningsOptions;
  readonly #texts: TextFiles;
  /** Answers whose outcome was taken; they are deleted once it is stored. */
  readonly #ended = new Set<string>();
  #folders: Folders | undefined;
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor(options: BeginningsOptions) {
    this.#options = options;
    this.#texts = new TextFiles(options.loop, options.report);
  }

  /** Whether programs begin tasks here, so that the folder has to be scanned often. */
  get isUsed(): boolean {
    return this.#folders !== undefined;
  }

  /** Reads the texts, and answers the requests. */
  async poll(root: PinnedDirectory): Promise<void> {
    const folders = this.#open(root);
    if (!folders) return;
    if (folders.prompts) await this.#texts.read(folders.prompts);
    await this.#sweep(folders);
    const requests = (await readdir(folders.begin.at(''))).filter((name) => !name.startsWith('.')).sort();
    for (const name of requests.slice(0, MAX_REQUESTS)) await this.#answer(folders, name);
  }

  /** Returns the outcome with the fields of its beginning, and what is wrong with the versions that it names. */
  complete(outcome: Outcome): { readonly outcome: Outcome; readonly reason?: string } {
    const name = ID.exec(outcome.id)?.[1];
    const begun = name === undefined ? undefined : this.#begunAs(name);
    if (name === undefined || begun?.id !== outcome.id) return { outcome };
    this.#ended.add(`${name}.json`);
    const { task, session } = begun;
    const whole: Outcome = { ...outcome, task, ...(session !== undefined && { session }), managed: true };
    const reason = otherVersion(outcome, begun, `begun/${name}.json`);
    return reason === undefined ? { outcome: whole } : { outcome: whole, reason };
  }

  /** Deletes the answers whose outcomes are stored. */
  async forget(): Promise<void> {
    for (const name of this.#ended) await ifThere(unlink(this.#folders?.begun.at(name) ?? name));
    this.#ended.clear();
  }

  close(): void {
    for (const folder of Object.values(this.#folders ?? {})) folder.close();
    this.#folders = undefined;
  }

  #open(root: PinnedDirectory): Folders | undefined {
    const begin = this.#folders ? undefined : root.inside('begin');
    if (begin) {
      const made = (name: string) => root.inside(name, { create: true }) ?? begin;
      this.#folders = { begin, begun: made('begun'), texts: made('texts') };
    }
    if (this.#folders && !this.#folders.prompts) {
      const prompts = root.inside('prompts');
      if (prompts) this.#folders = { ...this.#folders, prompts };
    }
    return this.#folders;
  }

  async #answer(folders: Folders, file: string): Promise<void> {
    const stem = REQUEST.exec(file)?.[1];
    const found = stem === undefined ? undefined : await ifThere(lstat(folders.begin.at(file)));
    if (!found || stem === undefined) return;
    let answer: object;
    try {
      const request = await this.#read(folders, file);
      // The same after a crash between the beginning and the answer.
      const id = timedId(found.mtimeMs, `${hash(`${file} ${found.size} ${found.ino}`)}.${stem}`);
      answer = await this.#begin(folders, request, id);
    } catch (error) {
      const isNew = this.#options.clock.now() - found.mtimeMs < this.#options.settleMs;
      // A program may still be writing.
      if (error instanceof SyntaxError && isNew) return;
      const problem = fileProblem(error);
      this.#options.report(`begin/${file}: ${problem}`);
      answer = { error: problem };
    }
    folders.begun.confirm();
    await writeWhole(folders.begun, `${stem}.json`, `${JSON.stringify(answer)}\n`);
    await ifThere(unlink(folders.begin.at(file)));
  }

  async #read({ begin, begun }: Folders, file: string): Promise<BeginRequest> {
    const bytes = await readBytes(begin.at(file), MAX_BYTES);
    const request = readRequest(bytes.toString('utf8'));
    if ((await readdir(begun.at(''))).length >= MAX_OPEN)
      throw new Error(`${MAX_OPEN} tasks are open: drop their outcomes first`);
    return request;
  }

  async #begin(folders: Folders, { task, prompts, ...options }: BeginRequest, id: string): Promise<BegunFile> {
    const names = heldNames(prompts, this.#texts);
    const { loop } = this.#options;
    const open = loop.begin(task, { source: SOURCE, ...options, id } satisfies BeginOptions);
    const given: Record<string, { version: string; file: string }> = {};
    for (const name of names) {
      const { version, file } = await this.#texts.write(folders.texts, open.prompts[name] ?? '');
      given[name] = { version, file: `texts/${file}` };
    }
    // A trial counts a task only if its beginning was stored before its work began.
    if (open.arms.length > 0) await loop.flush();
    const { policy, advice, deadlineMs } = open;
    const { session } = options;
    return { id: open.id, task, ...(session !== undefined && { session }), prompts: given, policy, advice, deadlineMs };
  }

  #begunAs(name: string): BegunFile | undefined {
    const path = this.#folders?.begun.at(`${name}.json`);
    if (path === undefined) return undefined;
    try {
      const found = lstatSync(path);
      if (!found.isFile() || found.size > MAX_ANSWER_BYTES) return undefined;
      return JSON.parse(readFileSync(path, 'utf8')) as BegunFile; // `#answer` wrote it
    } catch {
      return undefined;
    }
  }

  /** Deletes the answers of tasks that never ended. */
  async #sweep({ begun }: Folders): Promise<void> {
    const nowMs = this.#options.clock.now();
    if (nowMs - this.#sweptMs < SWEEP_MS) return;
    this.#sweptMs = nowMs;
    for (const name of await readdir(begun.at(''))) {
      const found = await ifThere(lstat(begun.at(name)));
      const { deadlineMs = (found?.mtimeMs ?? nowMs) + SWEEP_MS } = this.#begunAs(name.replace(/\.json$/, '')) ?? {};
      if (deadlineMs < nowMs) await ifThere(unlink(begun.at(name)));
    }
  }
}

function fileProblem(error: unknown): string {
  if (error instanceof SyntaxError) return `is not valid JSON (${error.message}): give { "task": ... }`;
  return error instanceof Error ? error.message : String(error);
}

/** Returns what is wrong if an outcome names another version than its task was given. */
function otherVersion({ context }: Outcome, { prompts }: BegunFile, answer: string): string | undefined {
  const used: unknown = context?.prompts;
  if (typeof used !== 'object' || used === null) return undefined;
  for (const [name, version] of Object.entries(used)) {
    const given = prompts[name]?.version;
    if (given === undefined || given === version) continue;
    return `it used version ${String(version).slice(0, 40)} of ${name}, and its task was given ${given}, for which it counts: use the versions of ${answer}`;
  }
  return undefined;
}
