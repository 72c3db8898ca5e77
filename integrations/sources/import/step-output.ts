import { tellingPart } from './tool-error.js';

/** First line by which a shell, an interpreter or an agent's own command reports a failure. */
const FIRST_LINE =
  /^(?:(?:\/[\w/]+\/)?(?:ba|da|z)?sh: |bash: |.{0,200}: (?:command not found|No such file or directory|Permission denied|Is a directory|Not a directory)$|.{0,200}\(No such file or directory\)$|Error:? |error: |fatal: |File .{1,200} not found|Command (?:timed out|failed)|EXECUTION TIMED OUT|COMMAND TIMED OUT|Your (?:proposed edit|last edit) has introduced|No replacement was performed|Your (?:command|output) .{0,80}(?:failed|invalid|not formatted)|Wrong flag|Action '.{0,200}' is not supported|Operation '.{0,200}' is not supported)/;
/** Beginning of an uncaught exception. */
const EXCEPTION = /^(?:(?:\w+\.)*\w*(?:Error|Exception): |Traceback \(most recent call last\))/;
/** Last line of an exception that ended a program, which names it. */
const LAST_LINE = /^(?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt)(?::|$)/;
const TIMED_OUT = /timed out/i;
const MAX_LOOKED_AT = 16_000;

/**
 * Finds the error in a step's output if no other field tells whether it failed. Reads only the places where programs
 * and shells report errors. `shows`: the output is the content of a file, which may contain exceptions that did not
 * happen.
 */
export function findStepError(
  output: string,
  shows = false,
): { readonly message: string; readonly name?: string } | undefined {
  const text = output.slice(0, MAX_LOOKED_AT).replace(/\r/g, '').trim();
  const lines = text.split('\n');
  const first = lines[0]?.trim() ?? '';
  const last = lines.at(-1)?.trim() ?? '';
  const isTraceback = !shows && lines.some((line) => line.startsWith('Traceback (most recent call last)'));
  if (isTraceback && LAST_LINE.test(last)) return { message: last.slice(0, 1_000) };
  if (!FIRST_LINE.test(first) && (shows || !EXCEPTION.test(first))) return undefined;
  return {
    message: first.startsWith('Traceback') ? last : lines.length === 1 ? first.slice(0, 1_000) : tellingPart(text),
    ...(TIMED_OUT.test(first) && { name: 'TimeoutError' }),
  };
}
