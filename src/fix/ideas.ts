import type { Fix } from '../contract/fix.js';
import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { wilsonRate } from '../lib/statistics.js';

const IDEA = 'idea:';

/** Returns the pattern id of something that a person or a host proposes without a pattern. */
export function ideaOf(about: string): string {
  return `${IDEA}${about}`;
}

/** Returns the failures that a person's own idea is for: all of one task, of any class. */
export function failuresOfIdea({
  task,
  failures,
  outcomes,
}: TaskStatistics): Pick<Pattern, 'id' | 'task' | 'issue' | 'rate'> {
  return { id: ideaOf(task), task, issue: 'any_failure', rate: wilsonRate(failures, outcomes) };
}

/** Returns whether a person proposed the fix without a pattern. It then has none that could be resolved. */
export function isIdea({ patternId }: Pick<Fix, 'patternId'>): boolean {
  return patternId.startsWith(IDEA);
}
