import { type Compared, inSeconds, type Prevented } from './compare.js';

/** Share of what the best fixed settings prevent that the loop must prevent, over all worlds together. */
const LEAST_SHARE = 0.85;

export const HEAD = [
  '| world | failures without, with | prevented of best | in the newer half | p50 s | p99 s | worst s | longest wait s | calls per task | refused | tried | bounds |',
  '|---|---|---|---|---|---|---|---|---|---|---|---|',
].join('\n');

export function rowOf({ world, without, loop, whole, newer, worstWaitMs, refused, tried, broken }: Compared): string {
  const pair = (of: 'p50Ms' | 'p99Ms' | 'worstMs') => `${inSeconds(without[of])}, ${inSeconds(loop[of])}`;
  const calls = `${without.callsPerTask.toFixed(2)}, ${loop.callsPerTask.toFixed(2)}`;
  const share = ({ best, loop: prevented }: Prevented) => (best > 0 ? `${prevented} of ${best}` : '');
  return `| ${[
    world,
    `${without.failures}, ${loop.failures}`,
    share(whole),
    share(newer),
    pair('p50Ms'),
    pair('p99Ms'),
    pair('worstMs'),
    inSeconds(worstWaitMs),
    calls,
    refused,
    tried.join('; '),
    broken.length === 0 ? 'hold' : broken.join('; '),
  ].join(' | ')} |`;
}

/** Says how many bounds are broken, and how much of what the best fixed settings prevent the loop prevents. */
export function summaryOf(all: readonly Compared[]): { readonly text: string; readonly reached: boolean } {
  const mendable = all.filter(({ whole }) => whole.best > 0);
  const broken = all.filter((one) => one.broken.length > 0).length;
  const [inAll, newer] = (['whole', 'newer'] as const).map((part) => {
    const total = (who: keyof Prevented) => mendable.reduce((sum, one) => sum + one[part][who], 0);
    return { text: `${total('loop')} of ${total('best')}`, share: total('loop') / total('best') };
  }) as [Part, Part];
  const idle = mendable.filter(({ newer: { best, loop } }) => loop < 0.2 * best);
  const lines = [
    `${all.length} worlds; a bound is broken in ${broken}`,
    `prevented in ${mendable.length} mendable worlds: ${percent(inAll)}; in the newer half ${percent(newer)}`,
    ...idle.map(({ world }) => `hardly helped: ${world}`),
  ];
  return { text: lines.join('\n'), reached: broken === 0 && !(newer.share < LEAST_SHARE) };
}

interface Part {
  readonly text: string;
  readonly share: number;
}

function percent({ text, share }: Part): string {
  return `${text} (${(100 * share).toFixed(1)} %)`;
}
