import type { RunMessage, WorkerAnswer } from '../messages.js';
import type { Engine } from './engine.js';
import { StrippedTypes } from './strip-types.js';

/** Removes types from TypeScript for another sandbox: the output is the code, as JSON. */
export class TypesEngine implements Engine {
  readonly #stripped = new StrippedTypes();

  async load(): Promise<void> {
    // Its package is loaded before the first program.
  }

  async prepare(): Promise<void> {
    // Nothing is kept between two programs.
  }

  async run({ code, hash }: RunMessage): Promise<WorkerAnswer> {
    const text = typeof code === 'string' ? code : new TextDecoder().decode(code);
    try {
      return { end: { output: JSON.stringify(await this.#stripped.of(hash, text)) }, log: [], calls: [] };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { end: { reason: 'error', message: `SyntaxError: ${error.message}` }, log: [], calls: [] };
    }
  }
}
