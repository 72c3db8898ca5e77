import type { FixId } from './ids.js';
import type { Issue } from './issue.js';
import type { JsonObject } from './json.js';

/** Result of a finished fix, kept in experience. */
export interface Lesson {
  readonly fixId: FixId;
  readonly patternId: string;
  readonly task: string;
  readonly issue: Issue;
  readonly target: string;
  /** Content of the change: settings with their values, or `{ rule: text }` for a rule. */
  readonly set: JsonObject;
  /** `stopped-helping`: confirmed before, then rolled back automatically. `taken-back`: rolled back by a person. */
  readonly result: 'helped' | 'harmed' | 'no-effect' | 'inconclusive' | 'rejected' | 'taken-back' | 'stopped-helping';
  readonly reason: string;
  readonly atMs: number;
  readonly attempt: number;
}
