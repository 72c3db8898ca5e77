/** Result of a look at the health address. */
export interface Health {
  readonly ok: boolean;
  /** Whether anything answered. */
  readonly isAnswered: boolean;
  readonly words: string;
}

/** Longest wait for an answer of the health address. */
const TIMEOUT_MS = 2_000;

/** Asks the health address once. A server that wants a key is ready too. */
export async function checkHealth(url: string, signal?: AbortSignal): Promise<Health> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      redirect: 'manual',
    });
    await response.body?.cancel();
    const { status } = response;
    return { ok: status < 400 || status === 401 || status === 403, isAnswered: true, words: `answered ${status}` };
  } catch {
    return { ok: false, isAnswered: false, words: limit.aborted ? 'no answer in 2 s' : 'does not answer' };
  }
}
