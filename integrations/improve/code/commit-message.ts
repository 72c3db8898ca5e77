import { describeComparison } from 'rsi-loop/bench';
import { recordedText } from 'rsi-loop/kit';
import type { CodeChange, CodeDecision } from './code-change.js';

/** Returns the message of the commit that merges a change. Texts of a proposer are one line each, and no trailers. */
export function mergeMessage(change: CodeChange, patchHash: string, { by, reason }: CodeDecision): string {
  const { evidence } = change;
  const { repair } = evidence;
  const last = evidence.comparisons.at(-1);
  return lines([
    titleOf(change),
    '',
    ...(evidence.hypotheses ?? []).map((each) => `- ${recordedText(each, 200)}`),
    ...evidence.comparisons.map((each) => `- ${recordedText(describeComparison(each), 400)}`),
    ...(repair ? [`- before: ${recordedText(repair.before, 300)}`, `- after: ${recordedText(repair.after, 300)}`] : []),
    ...(repair?.checks ?? []).map((each) => `- ${recordedText(each, 300)}`),
    ...(repair?.warnings ?? []).map((each) => `- warning: ${recordedText(each, 300)}`),
    '',
    `Rsi-Change: ${change.id}`,
    ...(repair ? [`Rsi-Written-By: ${recordedText(repair.by, 200)}`] : []),
    `Rsi-Suite: ${recordedText(evidence.suite, 200)}`,
    `Rsi-Seed: ${evidence.seed}`,
    ...(last ? [`Rsi-Evidence: ${last.evidence.eBetter.toFixed(1)} of ${Math.round(last.needed)} needed`] : []),
    `Rsi-Patch: sha256:${patchHash}`,
    `Rsi-Measured-On: ${change.base}`,
    `Rsi-Reason: ${recordedText(reason, 400)}`,
    `Approved-by: ${recordedText(by, 200)}`,
  ]);
}

/** Returns the message of the commit that rolls a change back. */
export function rollbackMessage(change: CodeChange, { by, reason }: CodeDecision): string {
  return lines([
    `Revert "${titleOf(change)}"`,
    '',
    `This reverts commit ${change.commit}.`,
    '',
    `Rsi-Change: ${change.id}`,
    `Rsi-Reason: ${recordedText(reason, 400)}`,
    `Rolled-back-by: ${recordedText(by, 200)}`,
  ]);
}

function titleOf({ name, evidence: { repair } }: CodeChange): string {
  return `${repair ? 'Repair' : 'Improve the agent'}: ${recordedText(name, 50)}`;
}

function lines(texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
