import { exportOutcomes, LoopError, type Outcome, type RSILoop } from 'rsi-loop';
import type { Receipt } from 'rsi-loop/oversee';

/** Stop of a supervised run, as its outcome says. */
export interface Stop extends Pick<Receipt, 'id' | 'task' | 'why' | 'message'> {
  readonly atMs: number;
  /** Whether a person found it wrong. */
  readonly isWrong: boolean;
}

/** Most stops that are listed: the newest ones. */
const MAX_STOPS = 200;

/** Reads the stops of a store, newest first. */
export async function readStops(loop: Pick<RSILoop, 'store'>): Promise<readonly Stop[]> {
  const wrong = new Set<unknown>();
  let stops: Omit<Stop, 'isWrong'>[] = [];
  for await (const outcome of exportOutcomes(loop)) {
    if (outcome.context?.wrongStop !== undefined) wrong.add(outcome.context.wrongStop);
    const why = reasonOf(outcome);
    if (why === undefined) continue;
    const { id, task, atMs, error } = outcome;
    stops.push({ id, task, why, atMs, message: error?.message ?? '' });
    if (stops.length >= 2 * MAX_STOPS) stops = stops.slice(-MAX_STOPS);
  }
  return stops
    .slice(-MAX_STOPS)
    .map((stop) => ({ ...stop, isWrong: wrong.has(stop.id) }))
    .sort((a, b) => b.atMs - a.atMs);
}

/**
 * Finds a stop by its number in the list, 1 for the newest, or by its id or the beginning of it.
 * @throws LoopError `invalid-input` if there is none, or more than one.
 */
export function findStop(stops: readonly Stop[], asked: string | undefined): Stop {
  if (asked === undefined || asked === '')
    throw new LoopError('invalid-input', 'which stop? "stops" shows their numbers');
  const numbered = /^[1-9]\d{0,2}$/.test(asked) ? stops[Number(asked) - 1] : undefined;
  if (numbered) return numbered;
  const found = stops.filter(({ id }) => id === asked || id.startsWith(asked));
  const [stop] = found;
  if (stop && found.length === 1) return stop;
  const what = stop ? `several stops begin with "${asked}"` : `there is no stop "${asked}"`;
  throw new LoopError('invalid-input', `${what}: "stops" shows their numbers`);
}

function reasonOf({ context }: Outcome): Stop['why'] | undefined {
  const why = context?.stopReason;
  return typeof why === 'string' ? (why as Stop['why']) : undefined; // `supervise` wrote it
}
