/** Removes types from TypeScript. @throws SyntaxError if it cannot be parsed. */
export async function stripTypes(code: string): Promise<string> {
  const { transform } = await import('sucrase');
  try {
    return transform(code, { transforms: ['typescript'], disableESTransforms: true }).code;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(message.replace(/^Error transforming [^:]*: /, ''), { cause: error });
  }
}
