/** Fields with names from an agent; tools, models and sub-agents can have any name. */
const NAMES = ['task', 'tool', 'model', 'agent', 'session'] as const;
/** Separator, or a long run that contains a digit; ids with dashes do not match. */
const SUSPICIOUS =
  /[\s:=@%&\\]|(?<![A-Za-z0-9_+/])(?=[A-Za-z_+/]*[0-9])[A-Za-z0-9_+/]{20}|[a-z]{2}[-_][A-Za-z0-9_-]{28}/;

/** Redacts names that may hold a secret. Loads the redactor only for those, because an agent waits for a hook. */
export async function withKeptNames<Sent extends object>(outcome: Sent): Promise<Sent> {
  const names = outcome as Readonly<Record<string, unknown>>; // read by name below, and copied
  const suspicious = NAMES.filter((name) => typeof names[name] === 'string' && SUSPICIOUS.test(names[name]));
  if (suspicious.length === 0) return outcome;
  const { redact } = await import('rsi-loop');
  return { ...outcome, ...Object.fromEntries(suspicious.map((name) => [name, redact(String(names[name]))])) };
}
