import { LoopError, type RSILoop } from 'rsi-loop';
import { cleaning, followedParts, type KeptNote, type PatternNote } from 'rsi-loop/kit';

/** Notes on a pattern, and the state that results from them. */
export interface PatternNotes {
  readonly isMuted: boolean;
  readonly assignee?: string;
  /** Notes, newest first. */
  readonly notes: readonly KeptNote[];
}

const MAX_TEXT = 2_000;
const MAX_NAME = 200;

/**
 * Keeps a note in the ledger, redacted like a record.
 * @throws LoopError `store-failed` if it could not be kept, `invalid-input` for a comment without words.
 */
export async function notePattern(
  loop: RSILoop,
  patternId: string,
  { by, note }: { readonly by: string; readonly note: PatternNote },
): Promise<void> {
  const { clock, ledger } = await followedParts(loop);
  if (loop.hasLostStore) throw new LoopError('store-failed', 'the store cannot be read, and the note would be lost');
  const kept = cleanNote(note);
  await ledger.append(() => [
    { kind: 'pattern-noted', atMs: clock.now(), by: cleaning.sanitizeText(by, MAX_NAME), patternId, note: kept },
  ]);
}

/** Returns the notes of each pattern that has some. */
export async function patternNotes(loop: RSILoop): Promise<ReadonlyMap<string, PatternNotes>> {
  const { ledger } = await followedParts(loop);
  return new Map([...ledger.state.notes].map(([id, notes]) => [id, stateOf(notes)]));
}

function cleanNote(note: PatternNote): PatternNote {
  const text = note.text === undefined ? undefined : cleaning.sanitizeText(note.text, MAX_TEXT).trim();
  switch (note.kind) {
    case 'commented':
      if (!text) throw new LoopError('invalid-input', 'the comment is empty: write what others should know');
      return { kind: 'commented', text };
    case 'assigned':
      return { kind: 'assigned', to: cleaning.sanitizeText(note.to, MAX_NAME).trim(), ...(text && { text }) };
    case 'muted':
    case 'unmuted':
      return { kind: note.kind, ...(text && { text }) };
    default:
      return note satisfies never;
  }
}

function stateOf(notes: readonly KeptNote[]): PatternNotes {
  const last = notes.findLast(({ note: { kind } }) => kind === 'muted' || kind === 'unmuted');
  const assigned = notes.flatMap(({ note }) => (note.kind === 'assigned' ? [note.to] : [])).at(-1);
  return { isMuted: last?.note.kind === 'muted', ...(assigned && { assignee: assigned }), notes: [...notes].reverse() };
}
