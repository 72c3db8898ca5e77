export interface Line {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
}

/** Longest line kept; what follows on it is dropped. */
const MAX_LINE = 1_000_000;

/** Yields the lines of a text in batches. Holds one piece and one line at a time. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly Line[]> {
  let open = '';
  let number = 0;
  const lineOf = (line: string): Line => ({ text: line.endsWith('\r') ? line.slice(0, -1) : line, number: ++number });
  for await (const piece of text) {
    const [first = '', ...more] = piece.split('\n');
    if (open.length < MAX_LINE) open += first;
    if (more.length === 0) continue;
    const last = more.pop() ?? '';
    yield [open, ...more].map(lineOf);
    open = last;
  }
  if (open !== '') yield [lineOf(open)];
}
