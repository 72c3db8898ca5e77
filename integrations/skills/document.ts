import { isObject } from 'rsi-loop/kit';
import type { SkillFolder } from './skill-folder.js';

/** Document of this program in a folder of skills: one JSON object with its format, replaced in one step. */
export class Document<Content extends object> {
  readonly #folder: SkillFolder;
  readonly #name: string;
  readonly #format: string;

  constructor(folder: SkillFolder, name: string, format: string) {
    this.#folder = folder;
    this.#name = name;
    this.#format = format;
  }

  /** Returns the content; `undefined` if there is none in this format. */
  async read(): Promise<Content | undefined> {
    const text = await this.#folder.readDocument(this.#name);
    try {
      const value: unknown = JSON.parse(text ?? '');
      return isObject(value) && value.format === this.#format ? (value as unknown as Content) : undefined; // this program wrote it
    } catch {
      return undefined;
    }
  }

  write(content: Content): Promise<void> {
    return this.#folder.writeDocument(this.#name, JSON.stringify({ format: this.#format, ...content }));
  }
}
