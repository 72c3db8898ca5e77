import type { Clock } from '../contract/clock.js';
import type { Embedder } from '../contract/embedder.js';
import { LoopError } from '../contract/errors.js';
import type { Lesson } from '../contract/lesson.js';
import type { ModelCall } from '../contract/model-call.js';
import { type LoopHandle, readyComponents } from '../engine/internals.js';
import { wordsOfLesson } from '../experience/lessons.js';
import type { Precedent } from '../experience/library.js';
import { cosine, similarities, termsOf } from '../experience/similarity.js';
import { adviseTemperature, type TemperatureAdvice } from '../experience/temperature.js';
import { recordedText } from '../lib/recorded-text.js';
import { messageOf } from '../lib/text.js';

/** What somebody is about to try. */
export interface RecallAbout {
  readonly task: string;
  /** What it is about: the request, or the error that was met. Without one, what happened last is recalled. */
  readonly text?: string;
  /** Only what happened to this agent, or to none by name. */
  readonly agent?: string;
  /** Only what came from this source. */
  readonly source?: string;
  /** Failures in a row that you have just had and the loop may not have read yet. */
  readonly failuresInARow?: number;
}

export interface RecallOptions {
  /** At most so many, 1 to 4. Default 4: more of them crowd out the task itself. */
  readonly atMost?: number;
  /** Compares by meaning instead of by words. Where it fails, words are compared. */
  readonly embedder?: Embedder;
  /** Longest wait for the embedder, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Something that was learned or happened before. Its words are recorded text: show them to a model as a quotation only. */
export type Recalled = {
  /** On one line, redacted and cut. */
  readonly text: string;
  /** To what was asked, 0 to 1; 1 where nothing was asked. */
  readonly similarity: number;
} & (
  | { readonly kind: 'lesson'; readonly lesson: Lesson }
  | { readonly kind: 'success' | 'failure'; readonly precedent: Precedent }
);

export interface RecallResult {
  /** The most alike first. */
  readonly recalled: readonly Recalled[];
  readonly temperature: TemperatureAdvice;
  readonly by: 'time' | 'words' | 'meaning';
}

const MOST = 4;
/** Lessons of a task that are compared, the newest. */
const MAX_LESSONS = 300;
/** Less alike than this is nothing to recall. */
const LEAST_BY_WORDS = 0.12;
const LEAST_BY_MEANING = 0.3;
/** Compared by meaning: those most alike by words, and the newest. */
const MAX_EMBEDDED = 64;

/**
 * Returns what is known that bears on something about to be tried: lessons of earlier fixes, ways it failed, and what
 * worked, at most 4, and how bold to be. Knows what the last cycle has read. Changes nothing.
 * @throws LoopError `invalid-input` (as a rejection) for a task that is no text or a number that cannot be.
 */
export async function recall(loop: LoopHandle, about: RecallAbout, options: RecallOptions = {}): Promise<RecallResult> {
  const { task, text = '', agent, source } = about;
  const atMost = readNumber('atMost', options.atMost ?? MOST, 1, MOST);
  if (typeof task !== 'string' || task === '') {
    throw new LoopError('invalid-input', `task is ${typeof task}: give the name of the task that is to be tried`);
  }
  const { clock, experience, events } = await readyComponents(loop);
  const lessons = experience.lessons.filter((lesson) => lesson.task === task).slice(-MAX_LESSONS);
  const precedents = experience.library.about({ task, ...(agent && { agent }), ...(source && { source }) });
  const known = [...lessons.reverse().map(asRecalled), ...precedents.map(precedentAsRecalled)];
  const streak = experience.library.streaks.of(task, agent);
  const failures = about.failuresInARow && readNumber('failuresInARow', about.failuresInARow, 0, 1e6);
  const temperature = adviseTemperature(
    failures === undefined ? streak : { failures, lastMs: clock.now() },
    clock.now(),
  );
  const asked = recordedText(String(text));
  if (asked === '') return { recalled: newest(known, atMost), temperature, by: 'time' };

  const byWords = rank(
    known,
    similarities(
      termsOf(asked),
      known.map((one) => termsOf(one.text)),
    ),
  );
  const { embedder, signal } = options;
  if (embedder) {
    try {
      const near = [
        ...new Set(
          [...byWords.slice(0, MAX_EMBEDDED / 2), ...known.slice(0, MAX_EMBEDDED / 2)].map(({ text }) => text),
        ),
      ];
      const vectors = await inTime(clock, options, (call) => experience.vectors.of(embedder, [asked, ...near], call));
      const wanted = vectors.get(asked) ?? [];
      const alike = known.map((one) => cosine(wanted, vectors.get(one.text) ?? []));
      return { recalled: best(rank(known, alike), atMost, LEAST_BY_MEANING), temperature, by: 'meaning' };
    } catch (error) {
      signal?.throwIfAborted();
      const message = `the embedder failed, so words were compared: ${messageOf(error)}`;
      events.emit({ kind: 'problem', where: 'recall', message });
    }
  }
  return { recalled: best(byWords, atMost, LEAST_BY_WORDS), temperature, by: 'words' };
}

function asRecalled(lesson: Lesson): Recalled {
  return { kind: 'lesson', text: recordedText(wordsOfLesson(lesson), 400), similarity: 1, lesson };
}

function precedentAsRecalled(precedent: Precedent): Recalled {
  return { kind: precedent.kind, text: precedent.text, similarity: 1, precedent };
}

/** An embedder may pay no heed to how long it was given, nor to the end of its call. */
async function inTime<Result>(
  clock: Clock,
  { timeoutMs = 5_000, signal }: Pick<RecallOptions, 'timeoutMs' | 'signal'>,
  work: (call: ModelCall) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const message = `the embedder gave no answer in ${timeoutMs} ms`;
    const cancel = clock.after(timeoutMs, () => reject(new LoopError('timed-out', message)), { background: true });
    ended.signal.addEventListener('abort', cancel, { once: true });
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: ended.signal });
  });
  try {
    return await Promise.race([work({ timeoutMs, ...(signal && { signal }) }), late]);
  } finally {
    ended.abort();
  }
}

/** The most alike first; among equals lessons before others, the newer before the older. */
function rank(known: readonly Recalled[], alike: readonly number[]): readonly Recalled[] {
  return known
    .map((one, index) => ({ ...one, similarity: Math.min(1, Math.max(0, alike[index] ?? 0)) }))
    .sort((a, b) => b.similarity - a.similarity);
}

function best(ranked: readonly Recalled[], atMost: number, least: number): readonly Recalled[] {
  return ranked.filter(({ similarity }) => similarity >= least).slice(0, atMost);
}

/** One of each kind in turn, the newest of each: a lesson, a failure, a success. */
function newest(known: readonly Recalled[], atMost: number): readonly Recalled[] {
  const kinds = (['lesson', 'failure', 'success'] as const).map((kind) => known.filter((one) => one.kind === kind));
  const turns = Array.from({ length: atMost }, (_, turn) => kinds.flatMap((some) => some[turn] ?? []));
  return turns.flat().slice(0, atMost);
}

function readNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new LoopError('invalid-input', `${name} is ${value}: give a whole number from ${least} to ${most}`);
}
