/** Faults of the model server. Shares are of the calls of that kind of task. */
export const FAULTS = {
  /** Calls of `index` come in batches; the bucket holds fewer tokens than a batch needs, but refills between batches. */
  quota: { capacity: 5, perMinute: 1_200 },
  /** `search` meets stretches in which the server refuses everybody and says for how long. */
  burst: { share: 0.18, lastsMs: 100 },
  hangingTranslations: 0.15,
  emptySummaries: 0.15,
  /** Answers of the one bad model that are prose where JSON was asked for. */
  proseOfBadModel: 0.6,
  /** Refused calls of `index` where nothing can be mended: about what the quota refuses otherwise. */
  sealedRefusals: 0.375,
} as const;

/** Answers take this long, plus a random part with this mean: a spread of latencies as models have it. */
export const ANSWER_MS = { least: 150, spread: 150 } as const;
/** A hanging call answers after this long, far beyond the time-out of its task. */
export const HANG_MS = 5_000;

export const MODELS = { index: 'ember', usual: 'basalt', bad: 'aurora', third: 'cobalt' } as const;

export type Kind = 'index' | 'search' | 'translate' | 'summarize' | 'answer';
export const KINDS: readonly Kind[] = ['index', 'search', 'translate', 'summarize', 'answer'];

export interface ProviderOptions {
  readonly seed: number;
  /**
   * Whether waiting, trying again or asking another model can change the answer. With `false` the fate of each task is
   * sealed before it arrives: no fix can do any good, and none may be confirmed.
   */
  readonly mendable: boolean;
}
