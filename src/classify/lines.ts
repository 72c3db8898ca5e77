/** A first line with at most this many words (`Exit code 1`, `Error:`) needs the next one to be meaningful. */
const WEAK_WORDS = 3;
const WEAK_CHARACTERS = 60;

/** Size of the result: at most three ranges, and the frame. */
export const PLACES = 8;
/** Index of the frame in the result. Its end is 0 if there is none. */
export const FRAME = 6;

interface Line {
  readonly start: number;
  readonly end: number;
}

/** Lines that state the error, as found so far. */
interface FoundLines {
  first?: Line;
  second?: Line;
  cause?: Line;
  /** The last line of a Python traceback that names an error, and the first one, which is the deepest. */
  raised?: Line;
  deepest?: Line;
  frame?: Line;
  inTraceback: boolean;
  inGoroutine: boolean;
}

/**
 * Finds the ranges of a multi-line message that state the error, and writes their starts and ends to `places`. These
 * are the first meaningful line (in a Python traceback: the final error) and the deepest cause. Skips stack frames,
 * carets and markers; the innermost frame is returned separately. Returns the number of ranges. Reads only the first
 * and last `window` characters, as the deepest cause is at the end.
 */
export function meaningfulLines(message: string, window: number, places: Int32Array): number {
  const found: FoundLines = { inTraceback: false, inGoroutine: false };
  const tail = message.length - window;
  let next = 0;
  while (next < message.length && !found.inGoroutine) {
    const margin = next;
    const lineEnd = message.indexOf('\n', margin);
    let end = lineEnd < 0 ? message.length : lineEnd;
    next = end + 1;
    if (margin < window) end = Math.min(end, window);
    if (next >= window && next < tail) next = afterLineEnd(message, tail);
    const line = trimmed(message, margin, end);
    if (line.start < line.end) addLine(found, message, line, line.start > margin);
  }
  places[FRAME] = found.frame?.start ?? 0;
  places[FRAME + 1] = found.frame?.end ?? 0;
  const ranges = chosenLines(found, message);
  ranges.forEach(({ start, end }, index) => {
    places[index * 2] = start;
    places[index * 2 + 1] = end;
  });
  return ranges.length;
}

/** Returns the range without spaces around it. Keeps an escape character, with which coloured text starts. */
function trimmed(message: string, from: number, to: number): Line {
  let start = from;
  let end = to;
  while (start < end && message.charCodeAt(start) <= 32 && message.charCodeAt(start) !== 27) start++;
  while (end > start && message.charCodeAt(end - 1) <= 32) end--;
  return { start, end };
}

function addLine(found: FoundLines, message: string, line: Line, indented: boolean): void {
  const kind = kindOfLine(message, line.start, indented);
  if (kind === MARKER) found.inTraceback ||= message.startsWith('Traceback', line.start);
  else if (kind === STACK) addFrame(found, message, line);
  else if (kind === GOROUTINE) found.inGoroutine = true;
  else if (found.inTraceback) addRaised(found, message, line, indented);
  else if (kind === CAUSE) found.cause = line;
  else if (!found.first) found.first = line;
  else if (!indented) found.second ??= line;
}

/** Keeps the innermost frame: Python prints it last, other languages print it first. */
function addFrame(found: FoundLines, message: string, line: Line): void {
  const isInnermost = !found.frame || (found.inTraceback && !found.deepest);
  if (isInnermost && message.charCodeAt(line.start) !== CARET) found.frame = line;
}

/** Ends a traceback at its line with the name of an error. */
function addRaised(found: FoundLines, message: string, line: Line, indented: boolean): void {
  if (indented || !startsWithName(message, line.start, line.end)) return;
  found.inTraceback = false;
  found.raised = line;
  found.deepest ??= line;
}

function chosenLines({ first, second, raised, deepest, cause = deepest }: FoundLines, message: string): Line[] {
  const leads = first !== undefined && (!raised || first.start < raised.start);
  const chosen: Line[] = leads ? [first] : [];
  if (raised) chosen.push(raised);
  if (leads && second && !cause && isWeak(message, first.start, first.end)) chosen.push(second);
  if (cause && cause !== raised) chosen.push(cause);
  return chosen;
}

const TEXT = 0;
const STACK = 1;
const MARKER = 2;
const CAUSE = 3;
const GOROUTINE = 4;
const CARET = 94;
const TILDE = 126;

const STARTS: readonly (readonly [start: string, kind: number])[] = [
  ['at ', STACK],
  ['File "', STACK],
  ['... ', STACK],
  ['from /', STACK],
  ['goroutine ', GOROUTINE],
  ['Traceback (most recent call last)', MARKER],
  ['The above exception was', MARKER],
  ['During handling of the above', MARKER],
  ['Caused by: ', CAUSE],
  ['caused by: ', CAUSE],
  ['[cause]: ', CAUSE],
];

function kindOfLine(message: string, start: number, indented: boolean): number {
  for (const [text, kind] of STARTS) if (message.startsWith(text, start)) return kind;
  const unit = message.charCodeAt(start);
  const next = message.charCodeAt(start + 1);
  // Marks under a line of source: `^^^^`, `~~~^`.
  if (unit === CARET || unit === TILDE) return next === unit || next <= 32 ? STACK : TEXT;
  // `   4: core::panicking::panic`
  const isNumbered = indented && unit >= 48 && unit < 58 && /^\d{1,3}: /.test(message.slice(start, start + 5));
  return isNumbered ? STACK : TEXT;
}

/** Returns whether the line starts with an error name: `KeyError`, `package.module.Error: text`. */
function startsWithName(message: string, start: number, end: number): boolean {
  let index = start;
  while (index < end) {
    const unit = message.charCodeAt(index);
    const lower = unit | 32;
    if (!((lower > 96 && lower < 123) || unit === 46 || unit === 95 || (index > start && unit > 47 && unit < 58)))
      break;
    index++;
  }
  return index > start && (index === end || message.charCodeAt(index) === 58);
}

function isWeak(message: string, start: number, end: number): boolean {
  if (end - start > WEAK_CHARACTERS) return false;
  let words = 1;
  for (let index = start + 1; index < end; index++) {
    if (message.charCodeAt(index) <= 32 && message.charCodeAt(index - 1) > 32) words++;
  }
  return words <= WEAK_WORDS;
}

function afterLineEnd(message: string, from: number): number {
  const at = message.indexOf('\n', from);
  return at < 0 ? message.length : at + 1;
}
