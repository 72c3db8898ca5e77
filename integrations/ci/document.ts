import { type Fields, fieldsOf } from './report-fields.js';
import type { ReportInput, ReportItem } from './test-case.js';

/** Largest JSON document that is read: as a whole, because its parts have no order that readers can rely on. */
const MAX_CHARACTERS = 256_000_000;

/** Reads a report that is one JSON document, and yields what `read` finds in it. */
export async function* readDocument(
  { text }: ReportInput,
  read: (document: Fields) => Iterable<ReportItem>,
): AsyncGenerator<readonly ReportItem[]> {
  const pieces: string[] = [];
  let characters = 0;
  for await (const piece of text) {
    characters += piece.length;
    if (characters > MAX_CHARACTERS) {
      yield [
        { problem: `the JSON has more than ${MAX_CHARACTERS} characters: let the runner write JUnit XML instead` },
      ];
      return;
    }
    pieces.push(piece);
  }
  const whole = pieces.join('');
  let document: Fields | undefined;
  try {
    document = fieldsOf(JSON.parse(whole));
  } catch (error) {
    yield [{ problem: 'the report is not complete JSON', line: lineOfError(whole, error) }];
    return;
  }
  yield document ? [...read(document)] : [{ problem: 'the JSON is not an object' }];
}

/** Returns the line that a parse error names by its position, else the last line: a torn file is wrong at its end. */
function lineOfError(text: string, error: unknown): number {
  const [, position] = /position (\d+)/.exec(String(error)) ?? [];
  return text.slice(0, position === undefined ? undefined : Number(position)).split('\n').length;
}
