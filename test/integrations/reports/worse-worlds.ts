import type { SessionFacts, Signal, SignalCount } from '../../../integrations/reports/worse/session-facts.js';
import { seededRandom } from '../../../src/lib/random.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

/** Change of a failure rate from one session on, and the property of those sessions that brings it. */
export interface Planted {
  readonly signal: Signal;
  readonly from: number;
  readonly rate: number;
  readonly by: 'client' | 'model' | 'repository';
}

const USUAL: Readonly<Record<Signal, { readonly calls: number; readonly rate: number }>> = {
  edits: { calls: 10, rate: 0.02 },
  commands: { calls: 14, rate: 0.11 },
  tools: { calls: 22, rate: 0.03 },
  corrections: { calls: 5, rate: 0.25 },
};

/** Returns sessions of a person: 30 a week, with a new version of the client every 15, two models and three repositories. */
export function personalYear(seed: number, sessions: number, planted?: Planted): readonly SessionFacts[] {
  const random = seededRandom(seed);
  return Array.from({ length: sessions }, (_, index): SessionFacts => {
    const isAfter = planted !== undefined && index >= planted.from;
    const client = `2.1.${Math.floor(index / 15)}`;
    const model = planted?.by === 'model' && isAfter ? 'model-c' : random() < 0.7 ? 'model-a' : 'model-b';
    // After the change, half of the sessions are in the new repository.
    const isNew = planted?.by === 'repository' && isAfter && random() < 0.5;
    const repository = isNew ? 'new-app' : `app-${Math.floor(random() * 3)}`;
    const isWorse = isAfter && (planted.by !== 'repository' || isNew);
    const of = (signal: Signal): SignalCount => {
      const { calls, rate } = USUAL[signal];
      return counts(random, calls, isWorse && planted.signal === signal ? planted.rate : rate);
    };
    return {
      id: `s${seed}-${index}`,
      atMs: START_MS + (index * 7 * DAY_MS) / 30,
      agent: 'claude-code',
      client,
      model,
      repository,
      counts: { edits: of('edits'), commands: of('commands'), tools: of('tools'), corrections: of('corrections') },
    };
  });
}

/** Calls of one session: their number and their failure rate differ from session to session. */
function counts(random: () => number, calls: number, rate: number): SignalCount {
  const of = Math.floor(-calls * Math.log(1 - random()));
  const own = Math.min(0.9, rate * -Math.log(1 - random()));
  let failures = 0;
  for (let call = 0; call < of; call++) if (random() < own) failures++;
  return { failures, of };
}
