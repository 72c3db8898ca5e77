import type { LoopFinding } from 'rsi-loop/loop-detector';
import type { HookAnswer, HookFormat } from './event.js';

/** Answer with no content. */
export const SILENT: HookAnswer = {};

/** Agents that show a `systemMessage` of a hook to the person. */
const HAS_MESSAGE: ReadonlySet<string> = new Set(['claude-code', 'codex']);

export function showsMessage({ source }: HookFormat): boolean {
  return HAS_MESSAGE.has(source);
}

/** Adds a line for the person, which the agent does not get. Agents that cannot show it get the answer as it is. */
export function withMessage(format: HookFormat, answer: HookAnswer, message: string | undefined): HookAnswer {
  if (message === undefined || !showsMessage(format)) return answer;
  return { ...answer, systemMessage: message.replace(/[^\P{C} ]/gu, ' ').slice(0, 500) };
}

/** Returns an answer with the rules of a session, in words for the agent, after `instructions` as they are. */
export function adviceAnswer(
  format: HookFormat,
  body: unknown,
  advice: readonly string[],
  instructions?: string,
): HookAnswer {
  const texts = [instructions, adviceText(advice)].filter((text) => text !== undefined);
  return (texts.length === 0 ? undefined : format.say(body, texts.join('\n\n'))) ?? SILENT;
}

export function adviceText(advice: readonly string[]): string | undefined {
  if (advice.length === 0) return undefined;
  return `Rules for this session:\n${advice.map((rule) => `- ${rule}`).join('\n')}`;
}

/**
 * Returns the answer for a detected loop: a hint from the second step on. It stops the agent only if the options ask
 * for it.
 */
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
