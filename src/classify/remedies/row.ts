import type { Actor, RemedyRule } from '../../contract/actor.js';
import type { Issue } from '../../contract/issue.js';

/** Fact about the steps before a failure, recorded as the tag `course:<fact>` by sources that see whole sessions. */
export const COURSE_FACTS = [
  'path-never-listed',
  'path-listed-before',
  'changed-since-read',
  'read-and-unchanged',
  'never-read',
] as const;

export type CourseFact = (typeof COURSE_FACTS)[number];

/** Prefix of the tags that hold course facts. */
export const COURSE = 'course:';

/** Remedy for the failures whose messages match. The first row that fits decides. */
export interface RemedyRow {
  readonly id: string;
  readonly who: Actor;
  /** Tested against the message without its `Exit code` prefix. `$1` of the texts is what the first group matched. */
  readonly says: RegExp;
  /** Issue that the failure must have, for remedies of failures that a source or caller names itself. */
  readonly issue?: Issue;
  /** Tested against the name of the task, for messages that mean something else elsewhere. */
  readonly task?: RegExp;
  /** Fact that at least half of the failures with known steps must show. Without known steps the row does not fit. */
  readonly course?: CourseFact;
  /** Instruction for the actor, for a person to read. */
  readonly todo: string;
  /** Rule for the agent. It states its own condition. */
  readonly rule?: RemedyRule;
  /** Message that the row is for, invented. */
  readonly example: string;
  /** Program that prints the message. */
  readonly source: string;
}

/** Returns a rule for the tools file. */
export const tools = (text: string): RemedyRule => ({ text, file: 'TOOLS' });
/** Returns a rule for the agent's main file. */
export const agents = (text: string): RemedyRule => ({ text, file: 'AGENTS' });
