/** Importers whose inputs hold what a person and an agent said to each other. */
export const SESSION_FORMATS: ReadonlySet<string> = new Set(['claude-code', 'codex', 'gemini-cli', 'chat-runs']);

/** Longest input that is kept as a text. A session is judged as a whole. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Keeps the text of an input while it is read by an importer. */
export class KeptText {
  #chunks: Uint8Array[] | undefined = [];
  #bytes = 0;
  #text: string | undefined;

  /** Text of the whole input; undefined before its end, and if it was too long. */
  get text(): string | undefined {
    return this.#text;
  }

  async *pass(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.byteLength;
      if (this.#bytes > MAX_BYTES) this.#chunks = undefined;
      this.#chunks?.push(chunk);
      yield chunk;
    }
    this.#text = this.#chunks && Buffer.concat(this.#chunks).toString('utf8');
    this.#chunks = undefined;
  }
}
