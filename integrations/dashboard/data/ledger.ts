import type { LedgerEntry, RSILoop } from 'rsi-loop';
import { signatureOf } from 'rsi-loop/node';
import type { LedgerHead, StoredEntry } from 'rsi-loop/testing';
import { signatureWords } from '../../reports/signatures.js';
import type { LedgerRow, LedgerView } from '../views.js';
import { inPeriod } from './chosen-period.js';
import { nameOfFix } from './fix-name.js';
import type { DataSource, ViewParams } from './source.js';
import { wholeNumber } from './whole-number.js';

/** Entries that are read together, going backwards. */
const READ = 500;
const LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Entries that one request looks at. A search continues where it ended. */
const MOST_READ = 20_000;

/** Returns a page of the ledger, newest first. Cycles are left out unless `kind` is `cycle`. */
export async function ledgerView(source: DataSource, params: ViewParams): Promise<LedgerView> {
  const { loop } = source;
  const isAsked = asked(source, params);
  const head = await loop.store.ledger.head();
  const limit = Math.min(MAX_LIMIT, wholeNumber('limit', params.limit) ?? LIMIT);
  const start = Math.min(head.length, wholeNumber('before', params.before) ?? head.length);
  const entries: LedgerRow[] = [];
  let next = start;
  while (next > 0 && entries.length < limit && start - next < MOST_READ) {
    const part = await entriesBetween(loop, Math.max(0, next - READ), next);
    for (const stored of part.reverse()) {
      if (entries.length >= limit) break;
      next = stored.position;
      const row = rowOf(loop, stored);
      if (isAsked(row)) entries.push(row);
    }
    // Damaged entries are missing in what was read.
    if (entries.length < limit) next = Math.min(next, Math.max(0, start - Math.ceil((start - next + 1) / READ) * READ));
  }
  return { entries: withSignatures(entries), ...(next > 0 && { next }), chain: chainOf(head) };
}

/** Leaves the column out of a ledger without signatures. */
function withSignatures(rows: readonly LedgerRow[]): readonly LedgerRow[] {
  if (rows.some(({ signature }) => signature !== UNSIGNED)) return rows;
  return rows.map(({ signature: _, ...row }) => row);
}

const UNSIGNED = signatureWords({ kind: 'unsigned' });

async function entriesBetween(loop: RSILoop, from: number, upTo: number): Promise<StoredEntry[]> {
  const found: StoredEntry[] = [];
  for await (const entry of loop.store.ledger.read(from, upTo)) found.push(entry);
  return found;
}

function asked(source: DataSource, { kind, who, range }: ViewParams): (row: LedgerRow) => boolean {
  const isShown = inPeriod(source, range);
  return (row) => {
    const isKind = kind ? row.kind === kind : row.kind !== 'cycle';
    return isKind && (!who || row.by === who) && isShown({ sinceMs: row.atMs, untilMs: row.atMs });
  };
}

function chainOf({ length, broken }: LedgerHead): LedgerView['chain'] {
  if (broken !== undefined) return { state: 'broken', detail: broken };
  return { state: 'intact', detail: `Each of the ${length} entries follows the one before.` };
}

function rowOf(loop: RSILoop, { position, entry }: StoredEntry): LedgerRow {
  const fixId = entry.kind === 'fix-proposed' ? entry.fix.id : 'fixId' in entry ? entry.fixId : undefined;
  return {
    position,
    atMs: entry.atMs,
    by: entry.by,
    kind: entry.kind === 'fix-moved' ? `fix-${entry.to}` : entry.kind,
    sentence: sentenceOf(loop, entry),
    ...(fixId !== undefined && { fixId }),
    ...('patternId' in entry && { patternId: entry.patternId }),
    ...('reason' in entry && { reason: entry.reason }),
    signature: signatureWords(signatureOf(entry)),
  };
}

function sentenceOf(loop: RSILoop, entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'cycle':
      return `A cycle counted new records.`;
    case 'fix-proposed':
      return `Proposed ${nameOfFix(loop, entry.fix)}.`;
    case 'fix-moved':
      return `${MOVES[entry.to]} ${nameOf(loop, entry.fixId)}.`;
    case 'change-written':
      return `Wrote ${nameOf(loop, entry.fixId)} to ${entry.path}.`;
    case 'change-removed':
      return `Removed ${nameOf(loop, entry.fixId)} from ${entry.path}.`;
    case 'cause-suggested':
      return `A model suggested a cause for pattern ${entry.patternId}: ${entry.finding.cause}.`;
    case 'pattern-noted':
      return noteSentence(entry);
    case 'marked':
      return `Marked ${entry.what}: ${entry.label}.`;
    case 'repeat-answered':
      return `${entry.mayRepeat ? 'Allowed' : 'Forbade'} repeating ${entry.task} after a failure.`;
    case 'erased':
      return `Erased ${entry.records} records by ${entry.fields.join(', ')}.`;
    case 'frozen':
      return 'Stopped all trials: none starts until a person allows them.';
    case 'unfrozen':
      return 'Allowed trials again.';
    case 'paused':
      return 'Paused trials: they keep their evidence and draw no arms.';
    case 'resumed':
      return 'Resumed trials.';
    default:
      return 'An entry of another version.';
  }
}

function noteSentence({ patternId, note }: Extract<LedgerEntry, { kind: 'pattern-noted' }>): string {
  const pattern = `pattern ${patternId.slice(0, 12)}`;
  const said = note.text === undefined ? '.' : `: ${note.text}`;
  switch (note.kind) {
    case 'muted':
      return `Muted ${pattern}${said}`;
    case 'unmuted':
      return `Showed ${pattern} again${said}`;
    case 'assigned':
      return note.to === '' ? `Gave ${pattern} to no one${said}` : `Gave ${pattern} to ${note.to}${said}`;
    case 'commented':
      return `Commented on ${pattern}${said}`;
    default:
      return note satisfies never;
  }
}

const MOVES: Readonly<Record<Extract<LedgerEntry, { kind: 'fix-moved' }>['to'], string>> = {
  proposed: 'Proposed',
  approved: 'Approved',
  trial: 'Started or continued the trial of',
  confirmed: 'Confirmed',
  rejected: 'Rejected',
  'rolled-back': 'Rolled back',
  'applied-unverified': 'Applied without proof',
  reopened: 'Reopened',
  superseded: 'Replaced',
  expired: 'Expired:',
  void: 'Found void:',
};

function nameOf(loop: RSILoop, fixId: string): string {
  const fix = loop.fixes().find(({ id }) => id === fixId);
  return fix ? nameOfFix(loop, fix) : fixId;
}
