/** Names that come from an agent; its tools, models and sub-agents can be called anything. */
const NAMES = ['task', 'tool', 'model', 'agent', 'session'] as const;
/** A separator, or a long run with a digit in it; ids with dashes are none. */
const SUSPICIOUS =
  /[\s:=@%&\\]|(?<![A-Za-z0-9_+/])(?=[A-Za-z_+/]*[0-9])[A-Za-z0-9_+/]{20}|[a-z]{2}[-_][A-Za-z0-9_-]{28}/;

/** Redacts names that may hold a secret. Loads what redacts only for those, because an agent waits for a hook. */
export async function withKeptNames<Sent extends object>(outcome: Sent): Promise<Sent> {
  const names = outcome as Readonly<Record<string, unknown>>; // read by name below, and copied
  const suspicious = NAMES.filter((name) => typeof names[name] === 'string' && SUSPICIOUS.test(names[name]));
  if (suspicious.length === 0) return outcome;
  const { redact } = await import('rsi-loop');
  return { ...outcome, ...Object.fromEntries(suspicious.map((name) => [name, redact(String(names[name]))])) };
}
