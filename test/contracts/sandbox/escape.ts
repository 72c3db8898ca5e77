import type { Json } from 'rsi-loop';
import type { SandboxAnswer, SandboxFailure, SandboxRun } from 'rsi-loop/sandbox';

/** Program that tries to get out, or to take more than it was given. */
export interface Escape {
  readonly name: string;
  /** Text of a module. */
  readonly code: string;
  readonly input?: Json;
  readonly options?: SandboxRun;
  /** How it must end: with this output, or failed for one of these reasons. */
  readonly ends: { readonly output: Json } | { readonly reasons: readonly SandboxFailure[] };
}

/** Reads like a table: name, expression or statements of the function's body, and the end. */
export function attempt(
  name: string,
  body: string,
  ends: Escape['ends'],
  more: Pick<Escape, 'input' | 'options'> = {},
): Escape {
  return { name, code: `export default async (input, host) => { ${body} }`, ends, ...more };
}

export const gives = (output: Json): Escape['ends'] => ({ output });
export const fails = (...reasons: SandboxFailure[]): Escape['ends'] => ({ reasons });

/** Why the answer is not the expected one; `undefined` if it is. */
export function problemOf({ ends }: Escape, answer: SandboxAnswer): string | undefined {
  const shown = JSON.stringify(answer).slice(0, 400);
  if ('reasons' in ends) {
    const isExpected = answer.kind === 'failed' && ends.reasons.includes(answer.reason);
    return isExpected ? undefined : `expected ${ends.reasons.join(' or ')}, found ${shown}`;
  }
  const isSame = answer.kind === 'answer' && JSON.stringify(answer.output) === JSON.stringify(ends.output);
  return isSame ? undefined : `expected the output ${JSON.stringify(ends.output)}, found ${shown}`;
}
