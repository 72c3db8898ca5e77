/** A first line with at most this many words (`Exit code 1`, `Error:`) needs the next one to be meaningful. */
const WEAK_WORDS = 3;
const WEAK_CHARACTERS = 60;

/** Size of the result: at most three ranges, and the frame. */
export const PLACES = 8;
/** Index of the frame in the result. Its end is 0 if there is none. */
export const FRAME = 6;

/**
 * Finds the ranges of a multi-line message that state the error, and writes their starts and ends to `places`. These
 * are the first meaningful line (in a Python traceback: the final error) and the deepest cause. Skips stack frames,
 * carets and markers; the innermost frame is returned separately. Returns the number of ranges. Reads only the first
 * and last `window` characters, as the deepest cause is at the end.
 */
export function meaningfulLines(message: string, window: number, places: Int32Array): number {
  let first = -1;
  let firstEnd = 0;
  let second = -1;
  let secondEnd = 0;
  let cause = -1;
  let causeEnd = 0;
  let raised = -1;
  let raisedEnd = 0;
  let deepest = -1;
  let deepestEnd = 0;
  let inTraceback = false;
  let inGoroutine = false;
  places[FRAME + 1] = 0;
  const tail = message.length - window;
  let next = 0;
  while (next < message.length) {
    let start = next;
    const found = message.indexOf('\n', start);
    let end = found < 0 ? message.length : found;
    next = end + 1;
    if (start < window) end = Math.min(end, window);
    if (next >= window && next < tail) next = afterLineEnd(message, tail);
    const margin = start;
    while (start < end && message.charCodeAt(start) <= 32 && message.charCodeAt(start) !== 27) start++;
    while (end > start && message.charCodeAt(end - 1) <= 32) end--;
    if (start === end || inGoroutine) continue;
    const indented = start > margin;
    const kind = kindOfLine(message, start, indented);
    if (kind === MARKER) {
      inTraceback ||= message.startsWith('Traceback', start);
    } else if (kind === STACK) {
      // Python prints the innermost frame last, other languages print it first.
      const innermost = places[FRAME + 1] === 0 || (inTraceback && deepest < 0);
      if (!innermost || message.charCodeAt(start) === CARET) continue;
      places[FRAME] = start;
      places[FRAME + 1] = end;
    } else if (kind === GOROUTINE) {
      inGoroutine = true;
    } else if (inTraceback) {
      if (indented || !startsWithName(message, start, end)) continue;
      inTraceback = false;
      raised = start;
      raisedEnd = end;
      if (deepest >= 0) continue;
      deepest = start;
      deepestEnd = end;
    } else if (kind === CAUSE) {
      cause = start;
      causeEnd = end;
    } else if (first < 0) {
      first = start;
      firstEnd = end;
    } else if (second < 0 && !indented) {
      second = start;
      secondEnd = end;
    }
  }
  if (cause < 0) {
    cause = deepest;
    causeEnd = deepestEnd;
  }
  let count = 0;
  const choose = (start: number, end: number) => {
    places[count * 2] = start;
    places[count * 2 + 1] = end;
    count++;
  };
  const leads = first >= 0 && (raised < 0 || first < raised);
  if (leads) choose(first, firstEnd);
  if (raised >= 0) choose(raised, raisedEnd);
  if (leads && second >= 0 && cause < 0 && isWeak(message, first, firstEnd)) choose(second, secondEnd);
  if (cause >= 0 && cause !== raised) choose(cause, causeEnd);
  return count;
}

const TEXT = 0;
const STACK = 1;
const MARKER = 2;
const CAUSE = 3;
const GOROUTINE = 4;
const CARET = 94;

/** Returns the kind of a line. Switches on the first character, so that most lines cost one comparison. */
function kindOfLine(message: string, start: number, indented: boolean): number {
  const begins = (text: string) => message.startsWith(text, start);
  const unit = message.charCodeAt(start);
  switch (unit) {
    case 97: // a
      return begins('at ') ? STACK : TEXT;
    case 70: // F
      return begins('File "') ? STACK : TEXT;
    case 46: // .
      return begins('... ') ? STACK : TEXT;
    case 102: // f
      return begins('from /') ? STACK : TEXT;
    case 103: // g
      return begins('goroutine ') ? GOROUTINE : TEXT;
    case 94: // ^
    case 126: // ~
      return message.charCodeAt(start + 1) === unit || message.charCodeAt(start + 1) <= 32 ? STACK : TEXT;
    case 84: // T
      return begins('Traceback (most recent call last)') || begins('The above exception was') ? MARKER : TEXT;
    case 68: // D
      return begins('During handling of the above') ? MARKER : TEXT;
    case 67: // C
      return begins('Caused by: ') ? CAUSE : TEXT;
    case 99: // c
      return begins('caused by: ') ? CAUSE : TEXT;
    case 91: // [
      return begins('[cause]: ') ? CAUSE : TEXT;
    default:
      // `   4: core::panicking::panic`
      return indented && unit >= 48 && unit < 58 && /^\d{1,3}: /.test(message.slice(start, start + 5)) ? STACK : TEXT;
  }
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
