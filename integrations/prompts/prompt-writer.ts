import { LoopError, type Model, type ModelRequest } from 'rsi-loop';
import { modelAnswers, showValue } from 'rsi-loop/kit';
import { askCrossover, askDrafts, readDrafts } from './ask-drafts.js';
import { differing } from './differing.js';
import { draftsBy } from './drafts.js';
import { type Screening, screenDrafts } from './screen.js';
import type { PromptDraft, PromptDrafting, PromptQuestion, PromptWriter } from './writer.js';

/** Options of a writer of drafts. */
export interface PromptWriterOptions {
  readonly model: Model;
  /** Name of the writer in proposals. Default `the model`. */
  readonly name?: string;
  /** Drafts of one question, 1 to 8. Default 4. */
  readonly drafts?: number;
  /** Benchmark that orders the drafts before one is proposed. Default: the model's order. */
  readonly screen?: Screening;
}

/**
 * Returns the option `writer` of `namedTexts`: a model that reflects on quoted failures and successes, and drafts
 * versions that differ. With two versions proven on other failures, it also combines them.
 * @throws LoopError `invalid-input` for what is not a model, or an invalid number of drafts.
 */
export function promptWriter({ model, name = 'the model', drafts = 4, screen }: PromptWriterOptions): PromptDrafting {
  modelAnswers.mustBeModel(model);
  if (!(Number.isInteger(drafts) && drafts >= 1 && drafts <= MAX_DRAFTS)) {
    throw new LoopError('invalid-input', `drafts is ${showValue(drafts)}: give a whole number from 1 to ${MAX_DRAFTS}`);
  }
  const ask = async (request: ModelRequest | undefined, signal: AbortSignal): Promise<readonly PromptDraft[]> => {
    if (!request) throw new LoopError('invalid-input', 'the text is too long to be shown to a model');
    return readDrafts((await model.complete(request, { signal })).json);
  };
  const writer: PromptWriter = {
    name,
    write: async (question, { signal }) => {
      const crossed = await crossover(question, (request) => ask(request, signal));
      const drafted = await ask(askDrafts(question, drafts), signal);
      const all = differing([...crossed, ...drafted], question.text).slice(0, MAX_DRAFTS);
      return screen && all.length > 1 ? screenDrafts(all, question, screen, signal) : all;
    },
  };
  return draftsBy(writer, screen && SCREENING_MS);
}

const MAX_DRAFTS = 8;
/** Time-out of a question whose drafts run on a benchmark. */
const SCREENING_MS = 24 * 3_600_000;

/** Returns a draft that combines the two newest proven versions, if there are two and it succeeds. */
async function crossover(
  question: PromptQuestion,
  ask: (request: ModelRequest | undefined) => Promise<readonly PromptDraft[]>,
): Promise<readonly PromptDraft[]> {
  const [one, other] = question.proven.slice(-2);
  if (!one || !other) return [];
  try {
    const [draft] = await ask(askCrossover(question, one, other));
    return draft ? [{ ...draft, parents: [one.version, other.version] }] : [];
  } catch {
    return []; // the drafts against the failures remain
  }
}
