import type { FixId } from './ids.js';
import type { Issue } from './issue.js';
import type { JsonObject } from './json.js';

/** What experience keeps of a verdict. */
export interface Lesson {
  readonly fixId: FixId;
  readonly patternId: string;
  readonly task: string;
  readonly issue: Issue;
  readonly target: string;
  /** What was set; of a rule `{ rule: text }`. */
  readonly set: JsonObject;
  /** `stopped-helping`: it was confirmed before and taken back automatically. `taken-back`: by a person. */
  readonly result: 'helped' | 'harmed' | 'no-effect' | 'unproven' | 'refused' | 'taken-back' | 'stopped-helping';
  readonly reason: string;
  readonly atMs: number;
  readonly attempt: number;
}
