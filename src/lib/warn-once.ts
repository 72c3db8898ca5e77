/** Kinds of problems that are remembered; beyond them nothing is printed. */
const MAX_KINDS = 50;

interface Warned {
  readonly kind: string;
  readonly where?: string;
  readonly message?: string;
}

/**
 * Returns a function that prints a `problem` nobody handles as a process warning, the first one of each place. Prints
 * nothing where the platform has no `process.emitWarning`. Never throws.
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
      // A host that forbids warnings goes without them.
    }
  };
}
