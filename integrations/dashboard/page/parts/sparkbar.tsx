const WIDTH = 170;
const HEIGHT = 16;

interface SparkbarProps {
  /** Ends of the bar, 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly isFailed: boolean;
}

/** Position of a call within its session. The columns beside it say the same in numbers. */
export function Sparkbar({ from, to, isFailed }: SparkbarProps) {
  const clamp = (share: number) => Math.min(1, Math.max(0, share)) * (WIDTH - 6) + 2;
  const left = clamp(from);
  return (
    <svg class="sparkbar" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path class="base" d={`M2 8.5H${WIDTH - 2}`} />
      <rect
        class={isFailed ? 'failed' : 'done'}
        x={left.toFixed(1)}
        y="4"
        height="9"
        width={Math.max(3, clamp(to) - left).toFixed(1)}
      />
    </svg>
  );
}
