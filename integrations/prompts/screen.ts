import { LoopError } from 'rsi-loop';
import { chance, mustBe, showValue } from 'rsi-loop/kit';
import type { PromptDraft, PromptQuestion } from './writer.js';

/** Benchmark on which drafts of a text are compared before one is proposed. */
export interface Screening {
  /** Problems of the benchmark, at least 5. */
  readonly problems: readonly string[];
  /** Solves one problem with a text. Returns whether it succeeded. A rejection counts as a failure. */
  readonly solve: (problem: string, text: string, options: { readonly signal: AbortSignal }) => Promise<boolean>;
  /** Runs allowed in total. Default 480. */
  readonly runs?: number;
}

const DEFAULT_RUNS = 480;
const MIN_PROBLEMS = 5;

interface Score {
  readonly draft: PromptDraft;
  solved: number;
  runs: number;
}

/**
 * Orders drafts by their results on a benchmark, best first, by successive halving: every draft runs some problems, and
 * the better half goes on with twice as many. Drafts worse than the text in force are dropped. The order proves nothing:
 * the trial of the proposed draft does.
 * @throws LoopError `invalid-input` for a benchmark with fewer than 5 problems.
 */
export async function screenDrafts(
  drafts: readonly PromptDraft[],
  { text }: Pick<PromptQuestion, 'text'>,
  screening: Screening,
  signal: AbortSignal,
): Promise<readonly PromptDraft[]> {
  const { problems, runs = DEFAULT_RUNS } = screening;
  mustBe(Array.isArray(problems), 'problems', showValue(problems), 'a list of problems');
  if (problems.length < MIN_PROBLEMS) {
    throw new LoopError(
      'invalid-input',
      `the benchmark has ${problems.length} problems: give at least ${MIN_PROBLEMS}`,
    );
  }
  const base: Score = { draft: { text, why: '' }, solved: 0, runs: 0 };
  const left: Score[] = drafts.map((draft) => ({ draft, solved: 0, runs: 0 }));
  const dropped: Score[] = [];
  const rounds = Math.max(1, Math.ceil(Math.log2(left.length)));
  const perRound = Math.floor(runs / rounds);
  for (let round = 0; round < rounds; round++) {
    const each = Math.floor(perRound / (left.length + 1));
    // The same problems for all in a round, so that none is luckier with them.
    const chosen = drawn(problems, each, `${text}\n${round}`);
    for (const score of [base, ...left]) await runAll(score, chosen, screening, signal);
    left.sort((a, b) => b.solved / b.runs - a.solved / a.runs);
    dropped.unshift(...left.splice(Math.ceil(left.length / 2)));
  }
  const worth = ({ solved, runs: of }: Score) => solved / Math.max(1, of);
  return [...left, ...dropped].filter((score) => worth(score) > worth(base)).map(({ draft }) => draft);
}

/** Draws problems without replacement, and all again once they are used up. The order depends on the seed only. */
function drawn(problems: readonly string[], count: number, seed: string): readonly string[] {
  const chosen: string[] = [];
  while (chosen.length < count) {
    const next = chance.shuffled(problems, (problem) => `${seed}\n${chosen.length}\n${problem}`);
    chosen.push(...next.slice(0, count - chosen.length));
  }
  return chosen;
}

async function runAll(score: Score, problems: readonly string[], { solve }: Screening, signal: AbortSignal) {
  for (const problem of problems) {
    signal.throwIfAborted();
    score.runs++;
    try {
      if (await solve(problem, score.draft.text, { signal })) score.solved++;
    } catch {
      // A run that fails is a problem not solved.
    }
  }
}
