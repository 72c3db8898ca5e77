import { tellingPart } from './tool-error.js';

/** Where a shell, an interpreter or an agent's own commands say that nothing came of it: at the beginning. */
const FIRST_LINE =
  /^(?:(?:\/[\w/]+\/)?(?:ba|da|z)?sh: |bash: |.{0,200}: (?:command not found|No such file or directory|Permission denied|Is a directory|Not a directory)$|.{0,200}\(No such file or directory\)$|Error:? |error: |fatal: |File .{1,200} not found|Command (?:timed out|failed)|EXECUTION TIMED OUT|COMMAND TIMED OUT|Your (?:proposed edit|last edit) has introduced|No replacement was performed|Your (?:command|output) .{0,80}(?:failed|invalid|not formatted)|Wrong flag|Action '.{0,200}' is not supported|Operation '.{0,200}' is not supported)/;
/** An exception that nothing caught. */
const EXCEPTION = /^(?:(?:\w+\.)*\w*(?:Error|Exception): |Traceback \(most recent call last\))/;
/** Of an exception that ended a program, the last line names it. */
const LAST_LINE = /^(?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt)(?::|$)/;
const TIMED_OUT = /timed out/i;
const MAX_LOOKED_AT = 16_000;

/**
 * What a step's output says went wrong, where nothing beside it says whether it did: only what stands where programs and
 * shells say it. `shows`: the output is the content of a file, where an exception may stand that did not happen.
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
