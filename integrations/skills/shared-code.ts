import { type Json, LoopError } from 'rsi-loop';
import { messageOf } from 'rsi-loop/kit';
import type { Facts } from './facts.js';
import { keptVersions } from './kept-versions.js';
import type { Sandbox, SandboxAnswer, SandboxModule, SandboxProgram, SandboxRun } from './sandbox.js';
import type { SkillText } from './skill.js';
import { readSkill } from './skill-files.js';
import type { SkillFolder } from './skill-folder.js';

/** Import of another skill by name and hash, such as `from 'skill:csv-lib@<sha256>'`. */
const IMPORT = /\b(?:from|import)\s*(["'])(skill:([a-z0-9-]{1,64})@([0-9a-f]{64}))\1/g;
const MARK = 'skill:';
const MOST_MODULES = 16;
const MOST_CHARACTERS = 1_000_000;

/**
 * Sandbox whose programs may import the code of other skills of a folder. An import names the hash of a version, so a change of the
 * other skill changes nothing here. The version must be current or kept, and its tests must have passed on this machine.
 */
export class SharingSandbox implements Sandbox {
  readonly name: string;
  readonly languages: Sandbox['languages'];
  readonly build?: NonNullable<Sandbox['build']>;
  readonly #inner: Sandbox;
  readonly #folder: SkillFolder;
  readonly #facts: Facts;
  /** Versions by hash: their content never changes. */
  readonly #known = new Map<string, SkillText>();

  constructor(inner: Sandbox, folder: SkillFolder, facts: Facts) {
    this.name = inner.name;
    this.languages = inner.languages;
    this.#inner = inner;
    if (inner.build) this.build = inner.build.bind(inner);
    this.#folder = folder;
    this.#facts = facts;
  }

  async run(program: SandboxProgram, input: Json, options?: SandboxRun): Promise<SandboxAnswer> {
    let modules: ReadonlyMap<string, SandboxModule>;
    try {
      modules = await this.#modulesOf(program);
    } catch (error) {
      if (!LoopError.is(error)) throw error;
      return { kind: 'failed', reason: 'error', message: messageOf(error), calls: [], log: [], durationMs: 0 };
    }
    return this.#inner.run(
      modules.size === 0 ? program : { ...program, modules: Object.fromEntries(modules) },
      input,
      options,
    );
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Returns the code of all imports, also of those that imports import. */
  async #modulesOf({ language, code }: SandboxProgram): Promise<ReadonlyMap<string, SandboxModule>> {
    const found = new Map<string, SandboxModule>();
    const open = language === 'wasm' || typeof code !== 'string' ? [] : [code];
    let characters = 0;
    for (let text = open.pop(); text !== undefined; text = open.pop())
      for (const [, , specifier = '', name = '', hash = ''] of text.includes(MARK) ? text.matchAll(IMPORT) : []) {
        if (found.has(specifier)) continue;
        const module = moduleOf(await this.#version(name, hash));
        characters += module.code.length;
        if (found.size === MOST_MODULES || characters > MOST_CHARACTERS)
          throw invalid(`it imports more than ${MOST_MODULES} skills or ${MOST_CHARACTERS} characters`);
        found.set(specifier, module);
        open.push(module.code);
      }
    return found;
  }

  /** @throws LoopError if there is no such version, or its tests did not pass here. */
  async #version(name: string, hash: string): Promise<SkillText> {
    const skill = this.#known.get(hash) ?? (await this.#find(name, hash));
    const shown = `${name}@${hash.slice(0, 12)}`;
    if (skill?.name !== name)
      throw invalid(`this folder has no version ${shown}, which it imports: rsi skill tree ${name} lists them`);
    this.#known.set(hash, skill);
    await this.#facts.refresh();
    const { status } = this.#facts.of(name, hash);
    if (status === 'working') return skill;
    throw invalid(`${shown}, which it imports, is ${status}: run its tests with rsi skill test ${name}`);
  }

  /** Returns a version. The current one is kept from now on, so that an edit by hand does not lose it. */
  async #find(name: string, hash: string): Promise<SkillText | undefined> {
    const kept = (await keptVersions(this.#folder, this.#facts, name)).find((one) => one.hash === hash);
    if (kept || this.#folder.stampOf(name) === undefined) return kept;
    const current = readSkill(name, await this.#folder.read(name));
    if (current.hash !== hash) return undefined;
    await this.#folder.keep(name, current.files);
    return current;
  }
}

function moduleOf({ name, code }: SkillText): SandboxModule {
  if (code && code.language !== 'wasm' && typeof code.text === 'string')
    return { language: code.language, code: code.text };
  throw invalid(`${name}, which it imports, has no JavaScript or TypeScript`);
}

function invalid(message: string): LoopError {
  return new LoopError('invalid-input', message);
}
