/** One class of faults: the row it gives in `npm run campaign -- faults` and in docs/security.md. */
export interface FaultClass {
  readonly name: string;
  /** A short cut of its campaign, at most some 20 seconds. Leave out what the class cannot count. */
  readonly run: (folder: string) => Promise<FaultCounts>;
  /** The command that runs it in full, where there is more. */
  readonly inFull?: string;
}

export interface FaultCounts {
  /** Faults that were injected. */
  readonly cases: number;
  /** Acknowledged records that are gone. */
  readonly lost?: number;
  /** Records that are there twice. */
  readonly doubled?: number;
  /** Leaks, out or in: exceptions into the host, secrets, commands, forged records. */
  readonly escapes?: number;
  /** Promises that were broken, in words; the class holds when there are none. */
  readonly broken: readonly string[];
}

/** Reads the counts of a campaign that reports in words; `of` is its count of cases. */
export function countsOf(
  report: { readonly broken: readonly string[]; readonly [count: string]: unknown },
  of = 'tried',
): FaultCounts {
  const { broken, lost, doubled, escapes } = report;
  const saying = (words: RegExp) => broken.filter((what) => words.test(what)).length;
  return {
    cases: Number(report[of]),
    lost: typeof lost === 'number' ? lost : saying(/\blost\b|\bkept and\b/),
    doubled: typeof doubled === 'number' ? doubled : saying(/\btwice\b/),
    escapes: typeof escapes === 'number' ? escapes : 0,
    broken,
  };
}
