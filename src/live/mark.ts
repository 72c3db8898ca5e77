import { LoopError } from '../contract/errors.js';
import type { Marker } from '../contract/ledger-entry.js';
import { messageOf } from '../lib/text.js';
import { sanitizeText } from '../observe/sanitize.js';
import { followedParts, type LoopHandle } from './loop-parts.js';

export interface MarkOptions {
  /** Author of the marker. Default `host`. */
  readonly by?: string;
}

const MAX_KIND = 40;
const MAX_LABEL = 200;

/**
 * Records a change in the ledger, e.g. `mark(loop, 'deploy', '1.4.2')`. It can explain a rise or fall in
 * `loop.healthHistory()`.
 * Does nothing if the newest marker of that kind has the same text. Every process of a fleet may therefore call it at
 * its start. Returns the marker, or undefined if it could not be stored, which is reported as `problem`.
 * @throws LoopError `invalid-input` (as a rejection) unless both texts are non-empty.
 */
export async function mark(
  loop: LoopHandle,
  kind: string,
  label: string,
  { by = 'host' }: MarkOptions = {},
): Promise<Marker | undefined> {
  const what = readText('kind', kind, MAX_KIND);
  const said = readText('label', label, MAX_LABEL);
  const who = readText('by', by, MAX_LABEL);
  const { clock, events, ledger } = await followedParts(loop);
  try {
    if (loop.hasLostStore) throw new LoopError('store-failed', 'the store cannot be read');
    await ledger.append(({ markers }) => {
      const last = markers.findLast((marker) => marker.kind === what);
      return last?.label === said ? [] : [{ kind: 'marked', atMs: clock.now(), by: who, what, label: said }];
    });
    return ledger.state.markers.findLast((marker) => marker.kind === what);
  } catch (error) {
    events.emit({ kind: 'problem', where: 'mark', message: `${what} ${said} was not kept: ${messageOf(error)}` });
    return undefined;
  }
}

function readText(name: string, value: unknown, max: number): string {
  if (typeof value === 'string' && value !== '') return sanitizeText(value, max);
  throw new LoopError('invalid-input', `${name} of a marker is ${typeof value}: give a text that is not empty`);
}
