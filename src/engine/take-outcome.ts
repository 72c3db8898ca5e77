import type { Outcome } from '../contract/outcome.js';
import { sampled } from '../lib/sampled.js';
import type { Engine } from './engine.js';
import type { FixedComponents } from './fixed-components.js';
import type { RSILoopOptions } from './options.js';
import type { WriteBuffer } from './write-buffer.js';

interface Takers {
  readonly components: Pick<FixedComponents, 'events' | 'listeners' | 'random'>;
  readonly engine: Pick<Engine, 'isErased' | 'take'>;
  readonly writeBuffer: Pick<WriteBuffer, 'addOutcome' | 'hasStart'>;
}

/**
 * Returns the function that takes each outcome of this process: it writes and counts them, samples successes of tasks
 * without a Start, and drops outcomes that were erased.
 */
export function outcomeTaker(
  { components, engine, writeBuffer }: Takers,
  { sample = 1 }: Pick<RSILoopOptions, 'sample'>,
): (outcome: Outcome) => void {
  const { events, listeners, random } = components;
  return (outcome) => {
    if (engine.isErased(outcome)) {
      events.emit({ kind: 'outcomes-dropped', count: 1, reason: 'erased before' });
      return;
    }
    for (const listen of listeners) listen(outcome);
    const isFirm = sample === 1 || writeBuffer.hasStart(outcome.id);
    const kept = isFirm ? outcome : sampled(outcome, sample, random);
    if (kept === undefined) return;
    writeBuffer.addOutcome(kept);
    engine.take(kept);
  };
}
