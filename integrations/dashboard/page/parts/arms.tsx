import type { TrialFigures } from 'rsi-loop';
import type { ArmFigures } from 'rsi-loop/kit';
import { NOT_ENOUGH, percent, rateOf } from '../lib/format.js';
import { wilson } from '../lib/wilson.js';
import { Interval } from './interval.js';

/** Failure rates of both arms on one axis. */
export function Arms({ figures }: { readonly figures: Pick<TrialFigures, 'fix' | 'control' | 'inScope'> }) {
  const { fix, control, inScope } = figures;
  const ends = [fix, control].map(({ failures, tasks }) => (tasks > 0 ? wilson(failures, tasks).high : 0));
  const max = Math.min(1, Math.max(0.02, ...ends) * 1.1);
  return (
    <div class="arms">
      <ArmRow name="with the fix" arm="fix" figures={fix} max={max} />
      <ArmRow name="without" arm="control" figures={control} max={max} />
      <span class="dim arms-axis">
        failure rate{inScope ? ' of the tasks that it could act on' : ''}, 0 to {percent(max)}
      </span>
    </div>
  );
}

interface ArmRowProps {
  readonly name: string;
  readonly arm: 'fix' | 'control';
  readonly figures: ArmFigures;
  readonly max: number;
}

function ArmRow({ name, arm, figures: { failures, tasks }, max }: ArmRowProps) {
  const value = tasks > 0 ? failures / tasks : 0;
  return (
    <div class="arm">
      <span>{name}</span>
      {tasks > 0 ? <Interval value={value} {...wilson(failures, tasks)} max={max} arm={arm} /> : null}
      <span class="number">{tasks > 0 ? rateOf({ value, of: tasks }) : NOT_ENOUGH}</span>
    </div>
  );
}
