/** Which stretches of a message of several lines say what went wrong: start and end indices, in pairs. */
export interface MeaningfulLines {
  readonly text: readonly number[];
  /** Where it happened: the innermost frame of the first stack. */
  readonly frame: readonly number[];
}

/** A first line of so few words (`Exit code 1`, `Error:`) needs the next one to say something. */
const WEAK_WORDS = 3;

const FRAME = /^(?:at |File "|\.\.\. \d+ more|from [^ ]+:\d+:in |goroutine \d+ |#\d+ |\d+: +0x|[~^]{2,})/;
const BETWEEN = /^(?:Traceback \(most recent call last\)|During handling of the above|The above exception was)/;
const CAUSE = /^(?:Caused by: |\[cause\]: |Cause: |caused by: )/;
const PYTHON_ERROR = /^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Failure|Timeout)?(?::|$)/;

/** Finds them in the first and, for longer messages, the last `window` characters: the deepest cause stands at the end. */
export function meaningfulLines(message: string, window: number): MeaningfulLines {
  const lines = linesOf(message, window);
  let first: Line | undefined;
  let second: Line | undefined;
  let cause: Line | undefined;
  let frame: Line | undefined;
  let inTraceback = false;
  let raised: Line | undefined;
  let firstRaised: Line | undefined;
  for (const line of lines) {
    const head = message.slice(line.start, Math.min(line.end, line.start + 120));
    if (BETWEEN.test(head)) {
      inTraceback ||= head.startsWith('Traceback');
      continue;
    }
    if (FRAME.test(head)) {
      // Python prints the innermost frame last, everyone else first.
      if (frame === undefined || (head.startsWith('File "') && firstRaised === undefined)) frame = line;
      continue;
    }
    if (inTraceback) {
      if (line.indented || !PYTHON_ERROR.test(head)) continue;
      inTraceback = false;
      raised = line;
      firstRaised ??= line;
      continue;
    }
    if (CAUSE.test(head)) cause = line;
    else if (first === undefined) first = line;
    else if (second === undefined && !line.indented) second = line;
  }
  const chosen = new Set<Line>();
  if (first !== undefined && (raised === undefined || first.start < raised.start)) chosen.add(first);
  const deepest = cause ?? firstRaised;
  if (raised !== undefined) chosen.add(raised);
  if (second !== undefined && chosen.size === 1 && deepest === undefined && isWeak(message, first)) chosen.add(second);
  if (deepest !== undefined) chosen.add(deepest);
  return {
    text: [...chosen].flatMap((line) => [line.start, line.end]),
    frame: frame === undefined ? [] : [frame.start, frame.end],
  };
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly indented: boolean;
}

/** The lines that hold anything, without the white space around them. */
function linesOf(message: string, window: number): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < message.length) {
    let end = message.indexOf('\n', start);
    if (end < 0) end = message.length;
    const inHead = start < window;
    const cut = inHead ? Math.min(end, window) : end;
    if (inHead || start >= message.length - window) {
      let from = start;
      let to = cut;
      while (from < to && message.charCodeAt(from) <= 32 && message.charCodeAt(from) !== 27) from++;
      while (to > from && message.charCodeAt(to - 1) <= 32) to--;
      if (from < to) lines.push({ start: from, end: to, indented: from > start });
    }
    start = end + 1;
    if (start >= window && start < message.length - window)
      start = message.indexOf('\n', message.length - window) + 1 || message.length;
  }
  return lines;
}

function isWeak(message: string, line: Line | undefined): boolean {
  if (line === undefined || line.end - line.start > 60) return false;
  return message.slice(line.start, line.end).split(/\s+/).length <= WEAK_WORDS;
}
