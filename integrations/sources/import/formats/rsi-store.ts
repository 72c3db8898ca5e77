import { type Outcome, parseOutcome } from 'rsi-loop';
import { readJournalLine } from 'rsi-loop/node';
import type { Batch, Importer, Input, InputHead, InputProblem } from '../importer.js';
import type { Piece } from '../open-piece.js';
import { LineSplitter } from '../split-lines.js';

/** First line of a segment. Other files of such a folder begin differently and hold no outcomes. */
const SEGMENT = /^\{"crc":"[0-9a-f]{8}","format":\d+,"kind":"journal"/;

/** Importer for the outcomes of a loop's `FileStore` folder: its files `journal/*.jsonl`. */
export const rsiStore: Importer = {
  name: 'generic',
  title: 'the folder of a loop (journal/*.jsonl)',
  detect: ({ text }: InputHead) => SEGMENT.test(text),
  read,
};

async function* read(input: Input): AsyncGenerator<Batch> {
  const splitter = new LineSplitter();
  for await (const chunk of input.chunks) {
    const batch = take(splitter.push(chunk), input, chunk.byteLength);
    yield batch;
    if (batch.skipped.some(({ line }) => line === undefined)) return;
  }
  yield take(splitter.end(), input, 0);
}

function take(lines: readonly Piece[], { path, atMs }: Input, bytes: number): Batch {
  const outcomes: Outcome[] = [];
  const skipped: InputProblem[] = [];
  for (const line of lines) {
    const found = readJournalLine(line.bytes.toString('utf8'));
    switch (found.kind) {
      case 'record': {
        if (found.record.kind !== 'outcome') break;
        // A valid checksum does not prove valid content, so the outcome is parsed like any external input.
        const { outcome } = parseOutcome(found.record.outcome, { id: '', atMs, source: rsiStore.name });
        if (outcome) outcomes.push(outcome);
        else skipped.push({ path, line: line.number, reason: 'no outcome: it has no task or no success' });
        break;
      }
      case 'damaged':
        skipped.push({ path, line: line.number, reason: 'fails its checksum: damaged, or still being written' });
        break;
      case 'wrong':
        skipped.push({ path, line: line.number, reason: 'has the right checksum and wrong content: it is not taken' });
        break;
      case 'other-format': {
        return {
          outcomes,
          skipped: [...skipped, { path, reason: found.why }],
          leftOut: {},
          lines: lines.length,
          bytes,
        };
      }
      case 'empty':
        break;
      default:
        found satisfies never;
    }
  }
  return { outcomes, skipped, leftOut: {}, lines: lines.length, bytes };
}
