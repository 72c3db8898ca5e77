import { afterCall, isAlarming, QUIET } from '../../../integrations/skills/failure-alarm.js';
import { findingOf } from '../../../integrations/skills/shadow.js';
import { seededRandom } from '../../../src/lib/random.js';

const MAX_CALLS = 1_000;

/** Returns how often 1,000 calls that fail at a rate raise the alarm, and the median call at which they do. */
export function simulateAlarm(
  rate: number,
  runs: number,
): { readonly alarms: number; readonly medianCall: number | null } {
  const at: number[] = [];
  for (let run = 0; run < runs; run++) {
    const random = seededRandom(run + 1);
    let state = QUIET;
    for (let call = 1; call <= MAX_CALLS; call++) {
      state = afterCall(state, random() >= rate);
      if (!isAlarming(state)) continue;
      at.push(call);
      break;
    }
  }
  at.sort((a, b) => a - b);
  return { alarms: at.length / runs, medianCall: at[Math.floor(at.length / 2)] ?? null };
}

/** Returns the shares of findings about a candidate, for success rates of parent and child on the same calls. */
export function simulateCandidates(
  { parent, child }: { readonly parent: number; readonly child: number },
  runs: number,
) {
  const found = { better: 0, worse: 0, 'no-gain': 0 };
  for (let run = 0; run < runs; run++) {
    const random = seededRandom(10_000 + run);
    const counts = { candidate: '', wins: 0, losses: 0, ties: 0 };
    for (;;) {
      const difference = Number(random() < child) - Number(random() < parent);
      if (difference > 0) counts.wins++;
      else if (difference < 0) counts.losses++;
      else counts.ties++;
      const finding = findingOf(counts);
      if (!finding) continue;
      found[finding]++;
      break;
    }
  }
  return { better: found.better / runs, worse: found.worse / runs, noGain: found['no-gain'] / runs };
}
