/** Number of context lines around a change. */
const CONTEXT = 3;
/** Maximum number of differences to search for. With more, the whole middle counts as replaced. */
const MAX_DIFFERENCES = 1_000;

/** Piece of a text that is kept, removed or added. */
export interface DiffStep {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/**
 * Returns the change of a file as a diff for `git apply` and `patch`; `''` if there is none. `undefined` means no file.
 */
export function unifiedDiff(before: string | undefined, after: string | undefined, path: string): string {
  if (before === after) return '';
  const steps = diffSteps(linesOf(before ?? ''), linesOf(after ?? ''));
  const name = (text: string | undefined, side: string) => (text === undefined ? '/dev/null' : `${side}/${path}`);
  const mode = before === undefined ? 'new file mode 100644\n' : 'deleted file mode 100644\n';
  const header = before === undefined || after === undefined ? `diff --git a/${path} b/${path}\n${mode}` : '';
  const hunks = hunksOf(steps);
  const names = hunks.length > 0 ? `--- ${name(before, 'a')}\n+++ ${name(after, 'b')}\n` : '';
  return header + names + hunks.join('');
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Returns the steps from one list of pieces to another. */
export function diffSteps(before: readonly string[], after: readonly string[]): DiffStep[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const same = (lines: readonly string[]) => lines.map((line): DiffStep => ({ sign: ' ', line }));
  const [old, young] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const middle = shortest(old, young) ?? [...signed('-', old), ...signed('+', young)];
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}

function signed(sign: DiffStep['sign'], lines: readonly string[]): DiffStep[] {
  return lines.map((line) => ({ sign, line }));
}

/** Returns the shortest edit sequence (Myers 1986); undefined if it is too long to be readable. */
function shortest(old: readonly string[], young: readonly string[]): DiffStep[] | undefined {
  const most = Math.min(old.length + young.length, MAX_DIFFERENCES);
  const trace: Map<number, number>[] = [];
  // Per diagonal (position in old minus position in young): how far into old this many differences reach.
  let reach = new Map([[1, 0]]);
  for (let differences = 0; differences <= most; differences++) {
    trace.push(reach);
    const next = new Map(reach);
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = isDown(reach, diagonal, differences) ? at(reach, diagonal + 1) : at(reach, diagonal - 1) + 1;
      while (x < old.length && x - diagonal < young.length && old[x] === young[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= old.length && x - diagonal >= young.length) return walkBack(old, young, trace);
    }
    reach = next;
  }
  return undefined;
}

function walkBack(old: readonly string[], young: readonly string[], trace: readonly Map<number, number>[]): DiffStep[] {
  const steps: DiffStep[] = [];
  let [x, y] = [old.length, young.length];
  const walkSame = (fromX: number, fromY: number) => {
    for (; x > fromX && y > fromY && old[x - 1] === young[y - 1]; y--) steps.push({ sign: ' ', line: old[--x] ?? '' });
  };
  for (let differences = trace.length - 1; differences > 0; differences--) {
    const reach = trace[differences] ?? new Map<number, number>();
    const down = isDown(reach, x - y, differences);
    const diagonal = x - y + (down ? 1 : -1);
    const fromX = at(reach, diagonal);
    walkSame(fromX, fromX - diagonal);
    steps.push(down ? { sign: '+', line: young[--y] ?? '' } : { sign: '-', line: old[--x] ?? '' });
  }
  walkSame(0, 0);
  return steps.reverse();
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, differences: number): boolean {
  return diagonal === -differences || (diagonal !== differences && at(reach, diagonal - 1) < at(reach, diagonal + 1));
}

function at(reach: ReadonlyMap<number, number>, diagonal: number): number {
  return reach.get(diagonal) ?? -1;
}

function hunksOf(steps: readonly DiffStep[]): string[] {
  const changed = steps.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const spans: { from: number; to: number }[] = [];
  for (const index of changed) {
    const last = spans.at(-1);
    const to = Math.min(steps.length, index + CONTEXT + 1);
    if (last && index - CONTEXT <= last.to) last.to = to;
    else spans.push({ from: Math.max(0, index - CONTEXT), to });
  }
  let [read, oldLine, youngLine] = [0, 0, 0];
  return spans.map(({ from, to }) => {
    for (; read < from; read++) {
      oldLine++;
      youngLine++;
    }
    const inside = steps.slice(from, to);
    const olds = inside.filter(({ sign }) => sign !== '+').length;
    const youngs = inside.filter(({ sign }) => sign !== '-').length;
    const head = `@@ -${range(oldLine, olds)} +${range(youngLine, youngs)} @@\n`;
    oldLine += olds;
    youngLine += youngs;
    read = to;
    return head + inside.map(showStep).join('');
  });
}

/** Formats the range of one side. An empty side is given by the line before it. */
function range(before: number, count: number): string {
  return `${count === 0 ? before : before + 1}${count === 1 ? '' : `,${count}`}`;
}

function showStep({ sign, line }: DiffStep): string {
  return line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}
