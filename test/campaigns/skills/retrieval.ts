import { RetrievalIndex } from '../../../integrations/skills/retrieval.js';
import { HELD, HELD_UNRELATED } from './held-requests.js';
import { LAST, LAST_UNRELATED } from './last-requests.js';
import { LONG_TEXTS } from './long-descriptions.js';
import { DEVELOPED, DEVELOPED_UNRELATED, lines, requestsIn, SKILL_TEXTS, type SkillText } from './texts.js';

type SkillEntry = Pick<SkillText, 'name' | 'description'>;

export interface RetrievalScore {
  readonly skills: number;
  /** Share of requests whose skill is among the offered ones, 0 to 1. */
  readonly recall: number;
  /** Share of requests whose skill is offered first. */
  readonly first: number;
  /** Share of unrelated tasks for which nothing is offered. */
  readonly none: number;
}

/**
 * `developed`: the retrieval was fitted on these. `held`: indirect requests, on which the ways of the retrieval were
 * compared. `last`: no choice was made on these. `all`: all three.
 */
export type RequestSet = keyof typeof SETS;

const SETS = {
  developed: { requests: DEVELOPED, unrelated: DEVELOPED_UNRELATED },
  held: { requests: requestsIn(HELD), unrelated: lines(HELD_UNRELATED) },
  last: { requests: requestsIn(LAST), unrelated: lines(LAST_UNRELATED) },
  all: {
    requests: [...DEVELOPED, ...requestsIn(HELD), ...requestsIn(LAST)],
    unrelated: [...DEVELOPED_UNRELATED, ...lines(HELD_UNRELATED), ...lines(LAST_UNRELATED)],
  },
};

/** `short`: descriptions of one sentence. `published`: what the skill does, and when to use it, as published skills say. */
export type DescriptionStyle = 'short' | 'published';

/** Scores the retrieval among the first `count` skills of the list. */
export async function scoreRetrieval(
  count: number,
  set: RequestSet,
  style: DescriptionStyle = 'short',
): Promise<RetrievalScore> {
  const skills: readonly SkillEntry[] = (style === 'short' ? SKILL_TEXTS : LONG_TEXTS).slice(0, count);
  const index = new RetrievalIndex(skills);
  const offered = async (text: string) => (await index.nearest(text)).map(({ entry }) => entry.name);
  const { requests, unrelated } = SETS[set];
  let [of, found, first, none] = [0, 0, 0, 0];
  for (const { name, query } of requests) {
    if (!skills.some((skill) => skill.name === name)) continue;
    of++;
    const names = await offered(query);
    if (names.includes(name)) found++;
    if (names[0] === name) first++;
  }
  for (const task of unrelated) if ((await offered(task)).length === 0) none++;
  return { skills: count, recall: found / of, first: first / of, none: none / unrelated.length };
}
