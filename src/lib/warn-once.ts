/** Maximum number of problem kinds to remember. Further kinds are not printed. */
const MAX_KINDS = 50;

interface Warned {
  readonly kind: string;
  readonly where?: string;
  readonly message?: string;
}

/**
 * Returns a function that prints a `problem` without a listener as a process warning, once per place. Prints nothing on
 * platforms without `process.emitWarning`. Never throws.
 */
export function warnOnce(): (event: Warned) => void {
  const warned = new Set<string>();
  return ({ kind, where = '', message = '' }) => {
    if (kind !== 'problem' || warned.has(where) || warned.size >= MAX_KINDS) return;
    warned.add(where);
    try {
      const { process } = globalThis as { process?: { emitWarning?: (text: string, name: string) => void } };
      process?.emitWarning?.(`${where}: ${message} (handle these with loop.on('problem', ...))`, 'RsiLoopWarning');
    } catch {
      // The host forbids warnings.
    }
  };
}
