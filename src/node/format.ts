/** Format version of every file of a store. Raise it whenever a reader of another version would misread a file. */
export const FORMAT = 2;

/** Kinds of files that state their format in the first line, as messages name them. */
const KINDS = {
  store: 'the marker of a store',
  journal: 'a segment of a journal',
  ledger: 'a file of a ledger',
  head: 'the head of a ledger',
  state: 'a snapshot',
  lease: 'a lease',
  writer: 'the heartbeat of a process',
  runs: 'a file of benchmark runs',
  benchmarks: 'a history of benchmarks',
  steps: 'a file of the steps of an improvement or a study',
} as const;

export type FileKind = keyof typeof KINDS;

/** Kinds of files outside of a store. */
const NOT_UPGRADED: ReadonlySet<FileKind> = new Set(['runs', 'benchmarks', 'steps']);

/** Returns why a file of another format is not read, and what to do. */
export function otherFormat(kind: FileKind, path: string, format: unknown): string {
  return `${path} ${whyOtherFormat(kind, format)}`;
}

/** Returns the same without the name of the file. */
export function whyOtherFormat(kind: FileKind, format: unknown): string {
  const found = `is ${KINDS[kind]} of format ${String(format)}, and this version reads only format ${FORMAT}`;
  if (typeof format !== 'number') return `${found}: another program wrote it; move it away`;
  if (format > FORMAT) return `${found}: a newer version wrote it; upgrade rsi-loop`;
  if (format === FORMAT - 1 && !NOT_UPGRADED.has(kind))
    return `${found}: an earlier version wrote it; run "rsi store upgrade"`;
  return `${found}: an earlier version wrote it; use that version to read it, or move the folder away to start a new one`;
}
