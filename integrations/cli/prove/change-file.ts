import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { LoopError, type Workspace } from 'rsi-loop';
import { DiskWorkspace } from 'rsi-loop/node';
import { shortPath } from '../terminal/short-path.js';

/** Markdown file that a person named. */
export class NamedFile {
  /** Absolute, without links in its folders. */
  readonly path: string;
  /** As a person types it. */
  readonly shown: string;
  readonly #workspace: Workspace;
  readonly #name: string;

  /** @throws LoopError `invalid-input` if its folder does not exist, `workspace-refused` for a name without `.md`. */
  constructor(given: string) {
    const whole = resolve(given);
    const folder = dirname(whole);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new LoopError('invalid-input', `there is no folder ${shortPath(folder)}: give the path of a Markdown file`);
    this.#name = basename(whole);
    this.path = join(realpathSync(folder), this.#name);
    this.shown = shortPath(whole);
    this.#workspace = new DiskWorkspace(folder, { files: [this.#name] });
  }

  /** @throws LoopError `invalid-input` if there is no file, `workspace-refused` for a link or a file that is not text. */
  async read(): Promise<{ readonly text: string; readonly hash: string }> {
    const { text, hash } = await this.#workspace.read(this.#name);
    if (text === undefined)
      throw new LoopError('invalid-input', `there is no file ${this.shown}: give the path of a Markdown file`);
    return { text, hash };
  }

  /** @throws LoopError `store-conflict` if the file has changed since it was read; nothing is written then. */
  async write(text: string, hash: string): Promise<void> {
    const { kind } = await this.#workspace.write(this.#name, text, hash);
    if (kind === 'conflict')
      throw new LoopError('store-conflict', `${this.shown} was changed meanwhile: nothing was written, try again`);
  }
}
