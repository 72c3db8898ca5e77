import { messageOf } from 'rsi-loop/kit';
import type { PatchSettings } from './heal-options.js';
import { loadExport } from './load-export.js';
import { readSource } from './source-frame.js';

type Callable = (...args: never[]) => unknown;

/** The function in use: the original, or a patch that a person merged, if a person allowed that for this function. */
export class HotSwap {
  current: Callable;
  readonly #original: Callable;
  readonly #patch: PatchSettings | undefined;
  readonly #report: (message: string) => void;
  readonly #proposed = new Set<string>();
  #inUse = '';

  constructor(original: Callable, patch: PatchSettings | undefined, report: (message: string) => void) {
    this.current = original;
    this.#original = original;
    this.#patch = patch;
    this.#report = report;
  }

  /** Remembers a change that may be merged later. */
  proposed(change: string): void {
    this.#proposed.add(change);
  }

  /** Uses the newest merged patch, or the original if there is none. */
  async refresh(): Promise<'original' | 'patched'> {
    const patch = this.#patch;
    if (!patch?.hotSwap || this.#proposed.size === 0) return 'original';
    const changes = await patch.project.changes();
    const merged = changes.findLast(({ id, status }) => status === 'merged' && this.#proposed.has(id));
    const wanted = merged?.id ?? '';
    if (wanted !== this.#inUse) {
      this.current = (merged && (await this.#load(merged.id, merged.code[patch.file], patch))) ?? this.#original;
      this.#inUse = wanted;
    }
    return this.current === this.#original ? 'original' : 'patched';
  }

  async #load(change: string, text: string | null | undefined, patch: PatchSettings): Promise<Callable | undefined> {
    const { project, file, name } = patch;
    if (text === undefined || text !== readSource(`${project.root}/${file}`)) {
      this.#report(`the change ${change} takes effect with the next start: it is not the content of ${file}`);
      return undefined;
    }
    try {
      const loaded = await loadExport(project.root, file, change, name);
      if (typeof loaded === 'function') return loaded as Callable; // the module exports it under the same name as before
      this.#report(`the change ${change} is not used: ${file} exports no function ${name}`);
    } catch (error) {
      this.#report(`the change ${change} is not used: ${file} cannot be loaded: ${messageOf(error)}`);
    }
    return undefined;
  }
}
