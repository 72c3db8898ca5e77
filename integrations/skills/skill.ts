import type { Json } from 'rsi-loop';
import type { SandboxLanguage, SandboxPermissions } from './sandbox.js';
import type { ValueSchema } from './value-schema.js';

/** Result of the tests: `working` only if the hidden ones passed on this machine, `untested` if the files changed since. */
export type SkillStatus = 'working' | 'untested' | 'failed';

/** Example that a skill has to answer. */
export interface SkillTest {
  readonly input: Json;
  readonly output: Json;
  /** A writer never sees a hidden test. */
  readonly hidden: boolean;
}

export interface SkillCode {
  readonly language: SandboxLanguage;
  /** Bytes for `wasm`, text otherwise. */
  readonly text: string | Uint8Array;
}

/** Content of a skill that this program reads. */
export interface SkillContent {
  readonly name: string;
  /** When to use the skill. Untrusted text of at most 1,024 characters. */
  readonly description: string;
  /** When not to use it. */
  readonly whenNot?: string;
  /** Instructions in Markdown. */
  readonly body: string;
  /** Absent for a skill that consists of instructions. */
  readonly code?: SkillCode;
  readonly input?: ValueSchema;
  readonly output?: ValueSchema;
  readonly tests: readonly SkillTest[];
  /** Access that the code asks for. Absent: none. */
  readonly asks?: SandboxPermissions;
}

/** Files of a skill by path, with `/`. Texts are files in UTF-8. */
export type SkillFiles = ReadonlyMap<string, string | Uint8Array>;

/** Skill as its files say. */
export interface SkillText extends SkillContent {
  /** SHA-256 of all files but the certificate. */
  readonly hash: string;
  /** Every file of the folder. */
  readonly files: SkillFiles;
}

/** Facts about a version of a skill. They are in `.rsi`, never in the files of the skill. */
export interface SkillFacts {
  /** 1 for the first version of a name. */
  readonly version: number;
  /** Hash of the version that this one changes. */
  readonly parent?: string;
  /** Result of the tests that ran on this machine. */
  readonly status: SkillStatus;
  /** Why no agent is offered the skill. */
  readonly deprecated?: string;
  /** Person who read a skill whose texts look like instructions to set rules aside, and accepted it. */
  readonly trusted?: { readonly by: string; readonly reason: string };
}

/** Skill of a folder. */
export interface Skill extends SkillText, SkillFacts {}

/** Skill as a list shows it and retrieval compares it: all but its files. */
export interface SkillSummary
  extends Pick<
    Skill,
    | 'name'
    | 'description'
    | 'whenNot'
    | 'input'
    | 'output'
    | 'version'
    | 'hash'
    | 'parent'
    | 'status'
    | 'deprecated'
    | 'trusted'
    | 'asks'
  > {
  readonly language?: SandboxLanguage;
  readonly tests: { readonly open: number; readonly hidden: number };
  /** Files besides those that this program reads itself. */
  readonly otherFiles: number;
  /** Why its texts must not reach an agent before a person has read them: they read like instructions to set rules aside. */
  readonly suspect?: string;
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME = 64;

/** Returns whether a text is a valid name: lowercase letters, digits and single hyphens, at most 64 characters. */
export function isSkillName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= MAX_NAME && NAME.test(name);
}

/** Returns the nearest valid name of a text; `undefined` if it holds no letter or digit of the Latin script. */
export function skillName(text: string): string | undefined {
  const words =
    text
      .toLowerCase()
      .slice(0, 200)
      .match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, MAX_NAME).replace(/-$/, '');
  return isSkillName(name) ? name : undefined;
}

/** Returns whether code asks for access that needs a person: network, files. */
export function asksForAccess(asks: SandboxPermissions | undefined): boolean {
  return [asks?.hosts, asks?.read, asks?.write].some((list) => list !== undefined && list.length > 0);
}
