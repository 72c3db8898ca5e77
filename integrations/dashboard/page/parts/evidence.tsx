import { evidenceText } from '../lib/sentences.js';

const WIDTH = 120;
const HEIGHT = 16;

/** Evidence on a logarithmic axis from none (1) to what a verdict needs. */
export function Evidence({ eHelp, needed }: { readonly eHelp: number; readonly needed: number }) {
  const share = Math.log(Math.max(eHelp, 1)) / Math.log(Math.max(needed, 2));
  const end = WIDTH - 16;
  const x = 2 + Math.min(1.08, share) * (end - 2);
  return (
    <svg class="evidence" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img">
      <title>{evidenceText({ eHelp, needed })}</title>
      <path class="base" d={`M2 8.5H${WIDTH - 2}`} />
      <path class="goal" d={`M${end} 2v13`} />
      <path class={share >= 1 ? 'reached' : 'bar'} d={`M2 8.5H${x.toFixed(1)}`} />
    </svg>
  );
}
