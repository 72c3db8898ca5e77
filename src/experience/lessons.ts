import { contentOf } from '../lib/content-of.js';
import type { Fix, Lesson } from '../records.js';

/** What there is to learn from how a fix ended; nothing while it is on its way. */
export function lessonOf(fix: Fix, reason: string): Lesson | undefined {
  const result = resultOf(fix);
  if (!result) return undefined;
  const { id: fixId, patternId, task, issue, target, change, changedMs: atMs, attempt } = fix;
  return { fixId, patternId, task, issue, target, set: contentOf(change), result, reason, atMs, attempt };
}

function resultOf({ status, verdict }: Fix): Lesson['result'] | undefined {
  switch (status) {
    case 'confirmed':
      return 'helped';
    case 'refused':
      return 'refused';
    case 'rolled-back':
      if (verdict?.kind === 'rejected') return verdict.why === 'no-effect' ? 'no-effect' : 'harmed';
      return verdict?.kind === 'unproven' ? 'unproven' : 'taken-back';
    default:
      return undefined;
  }
}

/** Keeps the newest lessons and finds those that speak about a change somebody thinks of. */
export class Experience {
  #lessons: Lesson[] = [];
  readonly #maxLessons: number;

  constructor(maxLessons = 10_000) {
    this.#maxLessons = maxLessons;
  }

  get lessons(): readonly Lesson[] {
    return this.#lessons;
  }

  learn(lesson: Lesson): void {
    this.#lessons.push(lesson);
    // Cut in large steps, so that a full list costs nothing per lesson.
    if (this.#lessons.length > this.#maxLessons * 1.25) this.#lessons = this.#lessons.slice(-this.#maxLessons);
  }

  /** Newest first: what was learned about this pattern, or about the same change for the same issue of the same task. */
  recall(about: { readonly patternId: string; readonly task: string; readonly issue: string }): readonly Lesson[] {
    return this.#lessons
      .filter(
        (lesson) =>
          lesson.patternId === about.patternId || (lesson.task === about.task && lesson.issue === about.issue),
      )
      .reverse();
  }
}
