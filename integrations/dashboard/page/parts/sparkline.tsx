const WIDTH = 112;
const HEIGHT = 20;

/** Bars of counts over time, small enough for a table. `label` says the same in words. */
export function Sparkline({ counts, label }: { readonly counts: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...counts);
  const step = WIDTH / Math.max(1, counts.length);
  const bar = (value: number, index: number) => {
    const height = value > 0 ? Math.max(2, (value / most) * HEIGHT) : 0;
    return `M${(index * step).toFixed(1)} ${HEIGHT}v${-height.toFixed(1)}h${Math.max(1, step - 1).toFixed(1)}V${HEIGHT}z`;
  };
  return (
    <svg class="sparkline" width={WIDTH} height={HEIGHT + 1} viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`} role="img">
      <title>{label}</title>
      <path class="base" d={`M0 ${HEIGHT + 0.5}H${WIDTH}`} />
      <path class="bars" d={counts.map(bar).join('')} />
    </svg>
  );
}
