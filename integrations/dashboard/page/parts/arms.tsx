import type { TrialFigures } from 'rsi-loop';
import type { ArmFigures } from 'rsi-loop/kit';
import { NOT_ENOUGH, percent, percentRange, rateOf } from '../lib/format.js';
import { wilson } from '../lib/wilson.js';
import { Interval } from './interval.js';

interface ArmsProps {
  readonly figures: Pick<TrialFigures, 'fix' | 'control'>;
  /** Whether a sentence beside it has the shares: then their intervals are written. */
  readonly isSaid?: boolean;
}

/** Shares of both arms that succeeded, on one axis that ends at 100 %. */
export function Arms({ figures: { fix, control }, isSaid = false }: ArmsProps) {
  const min = Math.floor(10 * Math.min(success(fix).low, success(control).low)) / 10;
  return (
    <div class="arms">
      {(
        [
          ['with it', 'fix', fix],
          ['without', 'control', control],
        ] as const
      ).map(([name, arm, own]) => (
        <div key={arm} class="arm">
          <span>{name}</span>
          {own.tasks > 0 ? <Interval {...success(own)} min={min} max={1} arm={arm} /> : null}
          <span class="number">
            {own.tasks === 0 ? NOT_ENOUGH : isSaid ? percentRange(success(own)) : rateOf(success(own))}
          </span>
        </div>
      ))}
      <span class="dim arms-axis">
        {isSaid ? '95 % interval of the share that succeeded' : 'share that succeeded'}, {percent(min)} to {percent(1)}
      </span>
    </div>
  );
}

function success({ tasks, failures }: ArmFigures) {
  const { low, high } = wilson(failures, tasks);
  return { value: tasks > 0 ? 1 - failures / tasks : 1, low: 1 - high, high: 1 - low, of: tasks };
}
