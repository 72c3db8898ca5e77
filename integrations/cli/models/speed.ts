import { LoopError, type Model } from 'rsi-loop';

/** Speed of a model for one caller. */
export type Speed =
  | {
      readonly ok: true;
      readonly model: string;
      /** Time until the first piece of text. */
      readonly firstMs: number;
      readonly totalMs: number;
      /** Tokens per second after the first piece, as counted by the server; absent if it does not count them. */
      readonly tokensPerSecond?: number;
    }
  | { readonly ok: false; readonly problem: string };

const QUESTION = 'Count from one to sixty in words, with commas between, and say nothing else.';
const MAX_TOKENS = 128;

/** Asks one short question and measures the answer. The first call to a server may include loading its model. */
export async function measureSpeed(
  model: Model,
  now: () => number,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Speed> {
  const startedMs = now();
  let firstMs: number | undefined;
  const onText = () => {
    firstMs ??= now() - startedMs;
  };
  try {
    const request = { messages: [{ role: 'user' as const, content: QUESTION }], maxTokens: MAX_TOKENS, temperature: 0 };
    const answer = await model.complete(request, { timeoutMs, signal, onText });
    const totalMs = now() - startedMs;
    const first = firstMs ?? totalMs;
    const made = answer.tokens?.output ?? 0;
    const perSecond = made > 1 && totalMs > first ? ((made - 1) * 1_000) / (totalMs - first) : undefined;
    return { ok: true, model: answer.model, firstMs: first, totalMs, ...(perSecond && { tokensPerSecond: perSecond }) };
  } catch (error) {
    if (signal.aborted || !LoopError.is(error)) throw error;
    return { ok: false, problem: error.message };
  }
}
