import type { Clock } from '../contract/clock.js';
import type { Embedder } from '../contract/embedder.js';
import { LoopError } from '../contract/errors.js';
import type { Lesson } from '../contract/lesson.js';
import type { ModelCall } from '../contract/model-call.js';
import { wordsOfLesson } from '../experience/lessons.js';
import type { Precedent } from '../experience/library.js';
import { adviseTemperature, type TemperatureAdvice } from '../experience/temperature.js';
import { recordedText } from '../lib/recorded-text.js';
import { cosine, similarities, termsOf } from '../lib/similarity.js';
import { messageOf, showValue } from '../lib/text.js';
import type { LoopHandle } from '../live/loop-parts.js';
import { readyParts } from './judged-parts.js';

/** Description of a planned attempt. */
export interface RecallAbout {
  readonly task: string;
  /** The request, or the error that occurred. If absent, returns the most recent items. */
  readonly text?: string;
  /** Restricts results to this agent, and those without an agent name. */
  readonly agent?: string;
  /** Restricts results to this source. */
  readonly source?: string;
  /** Recent failures in a row that the loop may not have read yet. */
  readonly failuresInARow?: number;
}

export interface RecallOptions {
  /** Maximum number of items, 1 to 4. Default 4: more would crowd out the task itself. */
  readonly atMost?: number;
  /** Compares by meaning instead of by words. If it fails, words are used. */
  readonly embedder?: Embedder;
  /** Maximum time for the embedder, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A lesson or a past event. Its words are recorded text: show them to a model only as a quotation. */
export type Recalled = {
  /** One line, redacted and truncated. */
  readonly text: string;
  /** Similarity to the given text, 0 to 1; 1 if no text was given. */
  readonly similarity: number;
} & (
  | { readonly kind: 'lesson'; readonly lesson: Lesson }
  | { readonly kind: 'success' | 'failure'; readonly precedent: Precedent }
);

/** Past failures that resemble a task, and the temperature they suggest. */
export interface RecallResult {
  /** Most similar first. */
  readonly recalled: readonly Recalled[];
  readonly temperature: TemperatureAdvice;
  readonly by: 'time' | 'words' | 'meaning';
}

const MOST = 4;
/** Maximum number of lessons of a task to compare, newest first. */
const MAX_LESSONS = 300;
/** Minimum similarity by words. */
const LEAST_BY_WORDS = 0.12;
const LEAST_BY_MEANING = 0.3;
/** Number of items compared by meaning: those most similar by words, and the newest. */
const MAX_EMBEDDED = 64;

/**
 * Returns up to 4 items relevant to a planned attempt: lessons of earlier fixes, past failures, and what worked. Also
 * suggests a temperature. Uses data up to the last cycle. Changes nothing.
 * @throws LoopError `invalid-input` (as a rejection) for a task that is not a text, or an invalid number.
 */
export async function recall(loop: LoopHandle, about: RecallAbout, options: RecallOptions = {}): Promise<RecallResult> {
  const { task, text = '', agent, source } = about;
  const atMost = readNumber('atMost', options.atMost ?? MOST, 1, MOST);
  if (typeof task !== 'string' || task === '') {
    throw new LoopError('invalid-input', `task is ${typeof task}: give the name of the task that is to be tried`);
  }
  const { clock, experience, events } = await readyParts(loop);
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

/** Rejects after the time limit, because an embedder may ignore its own limit and its signal. */
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

/** Sorts by similarity. Ties: lessons first, then newer before older. */
function rank(known: readonly Recalled[], alike: readonly number[]): readonly Recalled[] {
  return known
    .map((one, index) => ({ ...one, similarity: Math.min(1, Math.max(0, alike[index] ?? 0)) }))
    .sort((a, b) => b.similarity - a.similarity);
}

function best(ranked: readonly Recalled[], atMost: number, least: number): readonly Recalled[] {
  return ranked.filter(({ similarity }) => similarity >= least).slice(0, atMost);
}

/** Returns the newest items, alternating between kinds: a lesson, a failure, a success. */
function newest(known: readonly Recalled[], atMost: number): readonly Recalled[] {
  const kinds = (['lesson', 'failure', 'success'] as const).map((kind) => known.filter((one) => one.kind === kind));
  const ranked = Array.from({ length: atMost }, (_, rank) => kinds.flatMap((some) => some[rank] ?? []));
  return ranked.flat().slice(0, atMost);
}

function readNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new LoopError('invalid-input', `${name} is ${showValue(value)}: give a whole number from ${least} to ${most}`);
}
