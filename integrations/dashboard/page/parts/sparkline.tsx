const WIDTH = 112;
const HEIGHT = 20;

/** Bars of counts over time, small enough for a table. `label` says the same in words. */
export function Sparkline({ counts, label }: { readonly counts: readonly number[]; readonly label: string }) {
  const bars = summed(counts);
  const most = Math.max(1, ...bars);
  const step = WIDTH / Math.max(1, bars.length);
  const bar = (value: number, index: number) => {
    const height = value > 0 ? Math.max(2, (value / most) * HEIGHT) : 0;
    return `M${(index * step).toFixed(1)} ${HEIGHT}v${-height.toFixed(1)}h${Math.max(1, step - 1).toFixed(1)}V${HEIGHT}z`;
  };
  return (
    <svg class="sparkline" width={WIDTH} height={HEIGHT + 1} viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`} role="img">
      <title>{label}</title>
      <path class="base" d={`M0 ${HEIGHT + 0.5}H${WIDTH}`} />
      <path class="bars" d={bars.map(bar).join('')} />
    </svg>
  );
}

const MAX_BARS = 42;

/** Adds neighbours, so that each bar is wide enough to be seen. */
function summed(counts: readonly number[]): readonly number[] {
  const width = Math.ceil(counts.length / MAX_BARS);
  if (width <= 1) return counts;
  return Array.from({ length: Math.ceil(counts.length / width) }, (_, index) =>
    counts.slice(index * width, (index + 1) * width).reduce((sum, one) => sum + one, 0),
  );
}
