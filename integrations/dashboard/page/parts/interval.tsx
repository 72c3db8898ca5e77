import { NOT_ENOUGH, percentRange } from '../lib/format.js';

const WIDTH = 96;
const HEIGHT = 16;

interface IntervalProps {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Ends of the axis, 0 to 1. The left one is 0 by default. */
  readonly min?: number;
  readonly max: number;
  readonly arm?: 'fix' | 'control' | 'failing';
}

/** A share with its interval, drawn on an axis from `min` to `max`. */
export function Interval({ value, low, high, min = 0, max, arm = 'failing' }: IntervalProps) {
  const x = (share: number) => Math.min(1, (share - min) / (max - min)) * (WIDTH - 8) + 4;
  const known = low > 0 || high < 1;
  const label = known ? `interval ${percentRange({ low, high })}` : `interval: ${NOT_ENOUGH}`;
  return (
    <svg class={`interval interval-${arm}`} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img">
      <title>{label}</title>
      <path class="base" d={`M4 8.5H${WIDTH - 4}M4.5 5v7`} />
      {known ? <path class="range" d={`M${x(low).toFixed(1)} 8.5H${x(high).toFixed(1)}`} /> : null}
      <circle class={known ? 'dot' : 'dot open'} cx={x(value).toFixed(1)} cy="8.5" r="3.5" />
    </svg>
  );
}
