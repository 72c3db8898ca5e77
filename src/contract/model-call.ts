/** Options for a call to a model. */
export interface ModelCall {
  /** Aborts the call, which then rejects with the signal's own reason. */
  readonly signal?: AbortSignal;
  /** Longest wait for the whole answer, in milliseconds. Default: the model's own. */
  readonly timeoutMs?: number;
  /** Receives the text in pieces as the model generates it, before validation. */
  readonly onText?: (piece: string) => void;
}
