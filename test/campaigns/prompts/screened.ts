import { type PromptDraft, screenDrafts } from 'rsi-loop/prompts';
import { seededRandom } from '../../../src/lib/random.js';
import { BASE, livePrompt } from './life.js';

const DRAFTS = 8;
const SCREEN_RUNS = 480;
const PROBLEMS = Array.from({ length: 60 }, (_, index) => `problem ${index}`);
const [BAD, GOOD] = [0.3, 0.1];

/** Result of a search among eight drafts: whether the good one was found and proven, and its runs. */
export interface Found {
  readonly isProven: boolean;
  readonly runs: number;
}

/** Eight drafts of which one lowers failures from 30 to 10 %: screened on a benchmark, then the first is tried. */
export async function findGood(seed: number, most: number): Promise<Found> {
  const random = seededRandom(seed);
  const good = Math.floor(random() * DRAFTS);
  const drafts: PromptDraft[] = Array.from({ length: DRAFTS }, (_, index) => ({
    text: `${BASE} Idea ${index}.`,
    why: 'an idea',
  }));
  const isGood = (text: string) => text === drafts[good]?.text;
  let runs = 0;
  const solve = async (_: string, text: string) => {
    runs++;
    return random() >= (isGood(text) ? GOOD : BAD);
  };
  const screening = { problems: PROBLEMS, solve, runs: SCREEN_RUNS };
  const ordered = await screenDrafts(drafts, { text: BASE }, screening, new AbortController().signal);
  let isProven = false;
  for (const { text } of ordered) {
    if (isProven || runs >= most) break;
    const end = await livePrompt(seed + runs, {
      text,
      rate: (_task, sent) => (isGood(sent) ? GOOD : BAD),
      tasks: most - runs,
    });
    runs += end.tasks;
    isProven = end.status === 'confirmed' && isGood(text);
  }
  return { isProven, runs };
}
