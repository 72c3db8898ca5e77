import { RSILoop } from 'rsi-loop';
import { type Receipt, type SuperviseOptions, supervise } from 'rsi-loop/oversee';
import { onTestFinished } from 'vitest';

/** Supervisor of a test, and the receipts of its stops. */
export function supervisor(options: SuperviseOptions) {
  const loop = new RSILoop();
  onTestFinished(() => loop.close());
  const receipts: Receipt[] = [];
  const guarded = supervise(loop, { ...options, onStop: (receipt) => receipts.push(receipt) });
  return { guarded, receipts };
}
