const HEIGHT = 20;

interface SparklineProps {
  readonly counts: readonly number[];
  readonly label: string;
  /** Pixels. */
  readonly width?: number;
}

/** Bars of counts over time, small enough for a table. `label` says the same in words. */
export function Sparkline({ counts, label, width = 112 }: SparklineProps) {
  const bars = summed(counts, width);
  const most = Math.max(1, ...bars);
  const step = width / Math.max(1, bars.length);
  const bar = (value: number, index: number) => {
    const height = value > 0 ? Math.max(2, (value / most) * HEIGHT) : 0;
    return `M${(index * step).toFixed(1)} ${HEIGHT}v${-height.toFixed(1)}h${Math.max(1, step - 1).toFixed(1)}V${HEIGHT}z`;
  };
  return (
    <svg class="sparkline" width={width} height={HEIGHT + 1} viewBox={`0 0 ${width} ${HEIGHT + 1}`} role="img">
      <title>{label}</title>
      <path class="base" d={`M0 ${HEIGHT + 0.5}H${width}`} />
      <path class="bars" d={bars.map(bar).join('')} />
    </svg>
  );
}

/** Least width of a bar, with its gap. */
const BAR = 2.6;

/** Adds neighbours, so that each bar is wide enough to be seen. */
function summed(counts: readonly number[], width: number): readonly number[] {
  const together = Math.ceil((counts.length * BAR) / width);
  if (together <= 1) return counts;
  return Array.from({ length: Math.ceil(counts.length / together) }, (_, index) =>
    counts.slice(index * together, (index + 1) * together).reduce((sum, one) => sum + one, 0),
  );
}
