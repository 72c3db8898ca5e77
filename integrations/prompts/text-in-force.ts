import type { Fix, FixOf, PromptChange } from 'rsi-loop';
import type { DeclaredText, TextVersion } from 'rsi-loop/kit';
import { fitsVersion } from './text-use.js';

/** Text in force for a task, and the versions that led to it. */
export interface TextInForce extends TextVersion {
  /** Versions that a new one can replace, oldest first. The last one is in force. */
  readonly lineage: readonly string[];
  /** Fixes whose versions are in force, oldest first. */
  readonly fixes: readonly FixOf<PromptChange>[];
}

const MAX_LINEAGE = 20;

/** Returns the text in force for tasks of this name: the host's, with each version confirmed since. */
export function textInForce(declared: DeclaredText, inForce: Iterable<Fix>, task: string): TextInForce {
  let now: TextInForce = { ...version(declared), lineage: [declared.version], fixes: [] };
  const changes = [...inForce].filter(isTextFix).filter((fix) => isVersionOf(fix, declared.name, task));
  for (const fix of changes.sort((a, b) => a.changedMs - b.changedMs)) {
    if (!fitsVersion(fix.change, now.version)) continue;
    const lineage = [...new Set([...fix.change.replaces, ...now.lineage])].filter((one) => one !== fix.change.version);
    now = {
      ...version(fix.change),
      lineage: [...lineage, fix.change.version].slice(-MAX_LINEAGE),
      fixes: [...now.fixes, fix],
    };
  }
  return now;
}

function version({ text, version: hash }: TextVersion): TextVersion {
  return { text, version: hash };
}

function isVersionOf({ change }: FixOf<PromptChange>, name: string, task: string): boolean {
  return change.name === name && (change.scope.task === undefined || change.scope.task === task);
}

/** Returns whether a fix is a version of a named text: only those state the versions that they replace. */
export function isTextFix(fix: Fix): fix is FixOf<PromptChange> {
  return 'replaces' in fix.change;
}
