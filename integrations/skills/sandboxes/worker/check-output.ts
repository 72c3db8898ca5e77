import type { WorkerEnd } from '../messages.js';

/** Deepest nesting of an output. Programs that read it may recurse. */
const MAX_DEPTH = 200;

/**
 * Checks the output of a program: JSON of at most `maxBytes`, without the key `__proto__`, which could change prototypes
 * where a reader copies it, and not nested too deeply.
 */
export function checkOutput(text: string, maxBytes: number): WorkerEnd {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) return tooLong(bytes, maxBytes);
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch {
    return { reason: 'error', message: `the output is not JSON: ${text.slice(0, 200)}` };
  }
  const message = outputProblem(output);
  return message === undefined ? { output: text } : { reason: 'output', message };
}

export function tooLong(bytes: number, maxBytes: number): WorkerEnd {
  return { reason: 'output', message: `the output has ${bytes} bytes: the limit is ${maxBytes}` };
}

/** Looks at one level of nesting after the other, so that no output is too deep for the check itself. */
function outputProblem(output: unknown): string | undefined {
  let level: object[] = isObject(output) ? [output] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MAX_DEPTH) return `the output is nested deeper than ${MAX_DEPTH}`;
    if (level.some((value) => Object.hasOwn(value, '__proto__'))) return 'the output has the key __proto__';
    level = level.flatMap((value) => Object.values(value).filter(isObject));
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
