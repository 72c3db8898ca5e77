import { type Json, LoopError, startCall } from 'rsi-loop';
import type { LoopHandle } from 'rsi-loop/kit';
import { programOf } from './run-tests.js';
import type { Sandbox, SandboxPermissions } from './sandbox.js';
import type { Skill } from './skill.js';
import { checkValue } from './value-schema.js';

/** Options of a call of a skill. */
export interface CallOptions {
  readonly session?: string;
  readonly signal?: AbortSignal;
  /** Checks whether an answer is right, if the host can tell. `false` or a reason counts as a failure of the skill. */
  readonly accept?: (output: Json) => boolean | string | Promise<boolean | string>;
}

/** Result of running a skill's code on a valid input. */
export type CallResult =
  | { readonly kind: 'ok'; readonly output: Json; readonly durationMs: number }
  /** `counts` is false if the caller ended it. */
  | { readonly kind: 'failed'; readonly message: string; readonly counts: boolean; readonly durationMs: number };

/** Runs the code of a skill and checks its answer. Records nothing. */
export async function runSkill(
  skill: Skill,
  input: Json,
  { sandbox, allow, signal, accept }: { readonly sandbox: Sandbox; readonly allow: SandboxPermissions } & CallOptions,
): Promise<CallResult> {
  const program = programOf(skill);
  if (!program)
    throw new LoopError('invalid-input', `skill ${skill.name} has no code: read its instructions with show`);
  const answer = await sandbox.run(program, input, { allow, ...(signal && { signal }) });
  const { durationMs } = answer;
  if (answer.kind === 'failed') {
    const { reason, message } = answer;
    return { kind: 'failed', message: `${reason}: ${message}`, counts: reason !== 'stopped', durationMs };
  }
  const problem = await callProblem(answer.output, skill, accept);
  return problem === undefined
    ? { kind: 'ok', output: answer.output, durationMs }
    : { kind: 'failed', message: problem, counts: true, durationMs };
}

/** Runs a skill as a call of a tool that the loop records as an outcome. */
export async function recordedRun(
  loop: LoopHandle,
  { name }: Skill,
  options: CallOptions,
  run: () => Promise<CallResult>,
): Promise<CallResult> {
  const span = startCall(loop, { task: name, tool: name, session: options.session });
  if (!span) return run();
  try {
    const result = await span.run(run);
    span.end(result.kind === 'ok' ? { success: true } : { success: false, error: result.message });
    return result;
  } catch (error) {
    span.end({ success: false, error });
    throw error;
  }
}

async function callProblem(
  output: Json,
  { output: schema }: Skill,
  accept: CallOptions['accept'],
): Promise<string | undefined> {
  const wrong = schema && checkValue(output, schema);
  if (wrong !== undefined) return `validation: ${wrong}`;
  const said = (await accept?.(output)) ?? true;
  if (said === true) return undefined;
  return said === false ? 'the answer was not accepted' : said;
}
