import type { HookAnswer, HookFormat } from './event.js';
import type { LoopFinding } from './loop-detector.js';

/** Nothing to say. */
export const SILENT: HookAnswer = {};

/** The rules of a session, in words for the agent. */
export function adviceAnswer(format: HookFormat, body: unknown, advice: readonly string[]): HookAnswer {
  const text = adviceText(advice);
  return (text === undefined ? undefined : format.say(body, text)) ?? SILENT;
}

export function adviceText(advice: readonly string[]): string | undefined {
  if (advice.length === 0) return undefined;
  return `Rules for this session:\n${advice.map((rule) => `- ${rule}`).join('\n')}`;
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
