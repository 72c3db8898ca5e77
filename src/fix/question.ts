import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import { ideaOf } from './ideas.js';

/** Question to a person, before it is a fix. */
interface Question extends Pick<Fix, 'task' | 'issue' | 'change' | 'reason'> {
  readonly id: FixId;
  /** Subject of the question, part of its pattern id. */
  readonly about: string;
  /** Why no trial can answer it. */
  readonly notTestable: string;
}

/** Returns a fix that asks a person about something that no trial can test. */
export function questionFix({ about, notTestable, ...question }: Question, atMs: number): Fix {
  return {
    ...question,
    patternId: ideaOf(about),
    target: question.task,
    unit: 'task',
    status: 'proposed',
    safe: false,
    forecast: { kind: 'not-testable', reason: notTestable },
    attempt: 1,
    proposedMs: atMs,
    changedMs: atMs,
    decision: { kind: 'waiting', sinceMs: atMs },
  };
}
