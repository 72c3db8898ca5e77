/** Line of a stack, as V8 writes it. */
export interface StackFrame {
  /** Last part of the name of the function; empty for one without a name. */
  readonly name: string;
  /** Path, or address such as `file:///app/price.js`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

const MAX_FRAMES = 50;
const MAX_LINE = 1_000;

/** Returns the frames of a stack, innermost first. Frames of the platform itself are left out. */
export function stackFrames(stack: unknown): readonly StackFrame[] {
  if (typeof stack !== 'string') return [];
  const lines = stack.slice(0, MAX_FRAMES * MAX_LINE).split('\n');
  return lines.flatMap((line) => frameOf(line.trim()) ?? []).slice(0, MAX_FRAMES);
}

/** Reads `at async Order.total (file:///app/order.js:3:9)` and `at /app/order.js:3:9`. */
function frameOf(line: string): StackFrame | undefined {
  if (!line.startsWith('at ') || line.length > MAX_LINE) return undefined;
  const open = line.lastIndexOf(' (');
  const place = open < 0 ? line.slice(3).replace(/^async /, '') : line.slice(open + 2, -1);
  const column = place.lastIndexOf(':');
  const row = place.lastIndexOf(':', column - 1);
  const file = place.slice(0, row);
  const [at, position] = [Number(place.slice(row + 1, column)), Number(place.slice(column + 1))];
  if (row <= 0 || !(at > 0) || !(position > 0) || /^node:|[()<>]/.test(file)) return undefined;
  const name =
    open < 0
      ? ''
      : line
          .slice(3, open)
          .replace(/^(?:async|new) /, '')
          .replace(/ \[as .*$/, '');
  const last = name.slice(name.lastIndexOf('.') + 1);
  return { name: /^[\w$#]+$/.test(last) ? last : '', file, line: at, column: position };
}
