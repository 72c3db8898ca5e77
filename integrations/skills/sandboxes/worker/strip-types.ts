const MAX_KEPT = 100;

/** Code without its types, kept for the next run of the same program. */
export class StrippedTypes {
  readonly #known = new Map<string, { readonly from: string; readonly code: string }>();

  /** @throws SyntaxError if it cannot be parsed. */
  async of(hash: string, from: string): Promise<string> {
    const known = this.#known.get(hash);
    if (known?.from === from) return known.code;
    const code = await stripTypes(from);
    this.#known.delete(hash);
    this.#known.set(hash, { from, code });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KEPT && oldest !== undefined) this.#known.delete(oldest);
    return code;
  }
}

/**
 * Removes types from TypeScript. The parser backtracks: a short text can keep it busy for minutes, so this runs only in
 * a worker that the host can end.
 */
async function stripTypes(code: string): Promise<string> {
  const { transform } = await import('sucrase');
  try {
    return transform(code, { transforms: ['typescript'], disableESTransforms: true }).code;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(message.replace(/^Error transforming [^:]*: /, ''), { cause: error });
  }
}
