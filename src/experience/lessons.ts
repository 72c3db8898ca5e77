import type { Fix } from '../contract/fix.js';
import type { Lesson } from '../contract/lesson.js';
import { Library } from './library.js';
import { TrackRecord } from './track-record.js';
import { Vectors } from './vectors.js';

/** Returns the lesson of a finished fix whose change has this content; undefined for an open fix. */
export function lessonOf(fix: Fix, set: Lesson['set'], reason: string): Lesson | undefined {
  const result = resultOf(fix);
  if (!result) return undefined;
  const { id: fixId, patternId, task, issue, target, changedMs: atMs, attempt } = fix;
  return { fixId, patternId, task, issue, target, set, result, reason, atMs, attempt };
}

function resultOf({ status, verdict, trial }: Fix): Lesson['result'] | undefined {
  switch (status) {
    case 'confirmed':
      return 'helped';
    case 'rejected':
      return 'rejected';
    case 'rolled-back':
      if (verdict?.kind === 'failed' && trial?.phase === 'holdout') return 'stopped-helping';
      if (verdict?.kind === 'failed') return verdict.why === 'no-effect' ? 'no-effect' : 'harmed';
      return verdict?.kind === 'inconclusive' ? 'inconclusive' : 'taken-back';
    default:
      return undefined;
  }
}

/** Returns a lesson as text, to compare it with other texts. */
export function wordsOfLesson({ issue, target, set, result, reason }: Lesson): string {
  return `${issue}: ${target} ${JSON.stringify(set)} ${result}: ${reason}`;
}

/** Keeps the newest lessons and finds those about a planned change. */
export class Experience {
  /** Failures and successes per task. Saved in snapshots, like other counts of outcomes. */
  #library = new Library();
  readonly vectors = new Vectors();
  readonly record = new TrackRecord();
  #lessons: Lesson[] = [];
  /** Lessons by task, oldest first, because a cycle looks up those of every pattern. */
  #byTask = new Map<string, Lesson[]>();
  readonly #maxLessons: number;

  constructor(maxLessons = 10_000) {
    this.#maxLessons = maxLessons;
  }

  get library(): Library {
    return this.#library;
  }

  /** Replaces the library with a restored one. */
  restore(library: Library): void {
    this.#library = library;
  }

  get lessons(): readonly Lesson[] {
    return this.#lessons;
  }

  learn(lesson: Lesson): void {
    this.record.learn(lesson);
    this.#lessons.push(lesson);
    this.#index(lesson);
    // Truncated in large steps, so that a full list costs nothing per lesson.
    if (this.#lessons.length <= this.#maxLessons * 1.25) return;
    this.#lessons = this.#lessons.slice(-this.#maxLessons);
    this.#byTask = new Map();
    for (const kept of this.#lessons) this.#index(kept);
  }

  /** Forgets the decisions of people against a fix, because a person proposed it again. */
  reconsider(fixId: Lesson['fixId']): void {
    const isKept = (lesson: Lesson) =>
      lesson.fixId !== fixId || (lesson.result !== 'rejected' && lesson.result !== 'taken-back');
    if (this.#lessons.every(isKept)) return;
    this.#lessons = this.#lessons.filter(isKept);
    this.#byTask = new Map();
    for (const kept of this.#lessons) this.#index(kept);
  }

  #index(lesson: Lesson): void {
    const ofTask = this.#byTask.get(lesson.task);
    if (ofTask) ofTask.push(lesson);
    else this.#byTask.set(lesson.task, [lesson]);
  }

  /** Returns lessons about this pattern, or about the same issue of the same task. Newest first. */
  recall({ patternId, task, issue }: Pick<Lesson, 'patternId' | 'task' | 'issue'>): readonly Lesson[] {
    // A pattern belongs to one task.
    const ofTask = this.#byTask.get(task) ?? [];
    return ofTask.filter((lesson) => lesson.patternId === patternId || lesson.issue === issue).reverse();
  }
}
