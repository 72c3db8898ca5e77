import type { Outcome } from 'rsi-loop';
import { cleaning } from 'rsi-loop/kit';
import { filesOfSession, readTranscript, type Transcript } from 'rsi-loop/sources/import';
import type { TranscriptView } from '../session-views.js';
import type { DataSource, ViewParams } from './source.js';

const MAX_REQUEST = 2_000;
const MAX_TEXT = 100_000;
const MAX_REQUESTS = 500;
const MAX_ABOUT = 160;

/**
 * Returns the content of a session from the files that it was imported from. Only calls that this store knows are read.
 * Returns undefined for a session without an outcome.
 */
export async function transcriptView(
  { loop, recent }: DataSource,
  { id = '', call }: ViewParams,
): Promise<TranscriptView | undefined> {
  await recent.follow();
  const outcomes = recent.ofSession(id);
  if (outcomes.length === 0) return undefined;
  const asked = call ? outcomes.find((outcome) => outcome.id === call) : undefined;
  const files = await filesOfSession(loop.store, id);
  if (files.length === 0) return { requests: [], about: {}, missing: NOT_IMPORTED };
  const read = await readAll(files, asked && callIdOf(asked));
  if (read.length === 0) {
    return { requests: [], about: {}, missing: `${files[0]} cannot be read on this machine any more.` };
  }
  const requests = read.flatMap((one) => one.requests).sort((a, b) => a.atMs - b.atMs);
  const found = read.find((one) => one.call !== undefined)?.call;
  return {
    requests: requests
      .slice(-MAX_REQUESTS)
      .map(({ atMs, text }) => ({ atMs, text: cleaning.sanitizeText(text, MAX_REQUEST) })),
    about: call ? {} : aboutOf(outcomes, read),
    ...(found && { call: cleaned(found) }),
  };
}

const NOT_IMPORTED =
  'Arguments and results are read from the transcript of a session. This one was not imported from a transcript of Claude Code or Codex.';

async function readAll(files: readonly string[], call: string | undefined): Promise<readonly Transcript[]> {
  const found: Transcript[] = [];
  for (const file of files) {
    const transcript = await readTranscript(file, call).catch(() => undefined);
    if (transcript) found.push(transcript);
  }
  return found;
}

function aboutOf(outcomes: readonly Outcome[], read: readonly Transcript[]): TranscriptView['about'] {
  return Object.fromEntries(
    outcomes.flatMap((outcome): [string, string][] => {
      const callId = callIdOf(outcome);
      const said = read.map(({ about }) => about.get(callId)).find((one) => one !== undefined);
      return said === undefined ? [] : [[outcome.id, cleaning.sanitizeText(said, MAX_ABOUT)]];
    }),
  );
}

/** Returns the id that the agent gave a call: importers write the time before it, and some the session. */
function callIdOf({ id, session }: Outcome): string {
  const own = id.slice(id.indexOf('-') + 1);
  return own.startsWith(`${session}-`) ? own.slice(`${session}-`.length) : own;
}

function cleaned(call: NonNullable<Transcript['call']>): NonNullable<TranscriptView['call']> {
  return Object.fromEntries(
    Object.entries(call).map(([name, text]) => [name, cleaning.sanitizeText(String(text), MAX_TEXT)]),
  );
}
