/** What can be said with a call to a model. */
export interface ModelCall {
  /** Ends the call; it rejects with the signal's own reason. */
  readonly signal?: AbortSignal;
  /** Longest wait for the whole answer, in milliseconds. Default: the model's own. */
  readonly timeoutMs?: number;
  /** Hears the text piece by piece while it is made. Nothing in it has been checked. */
  readonly onText?: (piece: string) => void;
}
