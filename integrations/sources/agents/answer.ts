import type { HookAnswer, HookFormat } from './event.js';
import type { LoopFinding } from './loop-detector.js';

/** Nothing to say. */
export const SILENT: HookAnswer = {};

/** The rules of a session, in words for the agent. */
export function adviceAnswer(format: HookFormat, body: unknown, advice: readonly string[]): HookAnswer {
  if (advice.length === 0) return SILENT;
  const text = `Rules for this session:\n${advice.map((rule) => `- ${rule}`).join('\n')}`;
  return format.say(body, text) ?? SILENT;
}

/** What the agent hears of a loop: a hint from the second step on; the end of its work only where that was asked for. */
export function loopAnswer(
  format: HookFormat,
  body: unknown,
  finding: LoopFinding | undefined,
  { stopLoops = false }: { readonly stopLoops?: boolean },
): HookAnswer {
  if (finding === undefined || finding.step === 'observe' || !finding.isNew) return SILENT;
  const halted = finding.step === 'stop' && stopLoops ? format.halt(body, finding.message) : undefined;
  return halted ?? format.say(body, finding.message) ?? SILENT;
}
