import { LoopError, type Prompts } from 'rsi-loop';
import { BoundedMap, nearestName, showValue, type TextVersion, textVersions } from 'rsi-loop/kit';
import { resolveText, type TextEffect, type TextUse } from './text-use.js';

/** Text that tasks read by its name, as the host gives it: a system prompt, or the description of a tool. */
export interface PromptText {
  readonly text: string;
  /** Workspace file with the text. A confirmed version is written into it. */
  readonly file?: string;
}

/** Text of the host under its name. */
export interface NamedText extends TextVersion {
  readonly name: string;
  readonly file?: string;
}

/** Views kept. Reached only with very many task names. */
const MAX_VIEWS = 5_000;
const MAX_TASKS = 20;
/** Sessions with versions of their own. */
const MAX_SESSIONS = 10_000;
const NO_USES: readonly TextUse[] = [];
const NO_PROMPTS: Prompts = Object.freeze({});

/** Named texts of the host, and the versions of them that a task gets. Texts are shared between tasks, never copied. */
export class TextTable {
  readonly #texts = new Map<string, NamedText>();
  /** Tasks that have read each text. */
  readonly #readers = new Map<string, Set<string>>();
  /** Prompts by task, if no change concerns them. */
  #plain = new Map<string, Prompts>();
  #changed = new Map<string, Prompts>();
  /** Versions that single sessions get: those of the newest sessions. */
  readonly #ofSessions = new BoundedMap<readonly TextUse[]>(MAX_SESSIONS);

  /** @throws LoopError `invalid-input` naming the text, its problem and what to give. */
  constructor(texts: Readonly<Record<string, PromptText>> = {}) {
    for (const [name, text] of Object.entries(texts)) this.declare(name, text);
  }

  /**
   * Adds a text, or does nothing if the same one is known.
   * @param replaces Version of the known text that this one replaces.
   * @throws LoopError `invalid-input` for an invalid text, and for another text under a known name.
   */
  declare(name: string, given: PromptText, replaces?: string): NamedText {
    const { text, file } = readText(name, given);
    const known = this.#texts.get(name);
    if (known?.text === text) return known;
    if (known && known.version !== replaces) {
      const say = `give each text its own name, or name version ${known.version} as the one that it replaces`;
      throw new LoopError('invalid-input', `prompt ${showValue(name)} is declared twice with different texts: ${say}`);
    }
    const named = { name, text, version: textVersions.versionOf(text), ...(file !== undefined && { file }) };
    this.#texts.set(name, named);
    this.#plain = new Map();
    this.#changed = new Map();
    return named;
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  get names(): readonly string[] {
    return [...this.#texts.keys()];
  }

  get texts(): Iterable<NamedText> {
    return this.#texts.values();
  }

  of(name: string): NamedText | undefined {
    return this.#texts.get(name);
  }

  /** Returns the tasks that have read a text. */
  tasksOf(name: string): readonly string[] {
    return [...(this.#readers.get(name) ?? [])];
  }

  /** Returns the text that a task gets. @throws LoopError `invalid-input` for an unknown name. */
  read(name: string, uses: readonly TextUse[] = NO_USES, session?: string): NamedText {
    const text = this.#texts.get(name);
    if (text) return { ...text, ...resolveText(text, this.#withOwn(uses, session)) };
    const names = [...this.#texts.keys()];
    const meant = nearestName(name, names);
    const known =
      names.length > 0 ? `use one of ${names.join(', ')}` : 'give new RSILoop({ prompts: namedTexts({ ... }) }) one';
    const advice = meant ? `did you mean ${meant}?` : known;
    throw new LoopError('invalid-input', `no prompt is called ${showValue(name)}: ${advice}`);
  }

  /** Returns the texts for a task, as an object that notes which of them it reads. */
  lookup(task: string, inForce: readonly TextUse[] = NO_USES, session?: string): Prompts {
    if (this.#texts.size === 0) return NO_PROMPTS;
    const uses = this.#withOwn(inForce, session);
    let key = task;
    for (const { effect, isGiven } of uses) key += `${isGiven ? '\n+' : '\n-'}${effect.version}`;
    const views = uses.length === 0 ? this.#plain : this.#changed;
    const known = views.get(key);
    if (known) return known;
    const view = this.#view(task, uses);
    if (views.size >= MAX_VIEWS) views.clear();
    views.set(key, view);
    return view;
  }

  /** Replaces the version in force for the tasks of a session. */
  giveSession(session: string, effect: TextEffect): void {
    const others = this.#ofSessions.get(session)?.filter((use) => use.effect.name !== effect.name) ?? [];
    this.#ofSessions.put(session, [...others, { effect, isGiven: true }]);
  }

  /** Returns the versions in force, followed by those of the session. */
  #withOwn(uses: readonly TextUse[], session: string | undefined): readonly TextUse[] {
    const own = session === undefined ? undefined : this.#ofSessions.get(session);
    return own ? [...uses, ...own] : uses;
  }

  #view(task: string, uses: readonly TextUse[]): Prompts {
    const view: Record<string, string> = Object.create(null);
    for (const named of this.#texts.values()) {
      const { text } = resolveText(named, uses);
      const { name } = named;
      const get = () => {
        this.#noteReader(name, task);
        return text;
      };
      Object.defineProperty(view, name, { get, enumerable: true });
    }
    return Object.freeze(view);
  }

  #noteReader(name: string, task: string): void {
    const readers = this.#readers.get(name);
    if (!readers) this.#readers.set(name, new Set([task]));
    else if (readers.size < MAX_TASKS) readers.add(task);
  }
}

function readText(name: string, given: unknown): PromptText {
  const say = (problem: string) => new LoopError('invalid-input', `prompt ${showValue(name)} ${problem}`);
  if (name.trim() === '' || name.length > MAX_NAME) throw say(`needs a name of 1 to ${MAX_NAME} characters`);
  if (typeof given !== 'object' || given === null) throw say(`is ${showValue(given)}: give { text, file? }`);
  const { text, file } = given as Readonly<Record<string, unknown>>; // any key of an object can be read
  if (typeof text !== 'string') throw say(`has ${showValue(text)} as its text: give a text`);
  if (text.trim() === '') throw say('is empty: give a text');
  if (text.length > MAX_TEXT) throw say(`has ${text.length} characters: give at most ${MAX_TEXT}`);
  if (file !== undefined && (typeof file !== 'string' || file === '')) {
    throw say(`has ${showValue(file)} as its file: give a path, such as 'prompts/system.md'`);
  }
  return file === undefined ? { text } : { text, file };
}

const MAX_NAME = 200;
/** Longest text, in UTF-16 units. */
export const MAX_TEXT = 400_000;
