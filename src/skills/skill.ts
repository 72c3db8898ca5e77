import type { Json } from '../contract/json.js';
import type { JsonSchema } from '../contract/json-schema.js';
import type { SandboxLanguage, SandboxPermissions } from '../contract/sandbox.js';

/** Result of the tests: `working` only if the hidden ones pass, `untested` if the files changed since. */
export type SkillStatus = 'working' | 'untested' | 'failed';

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

/** Content of a skill: everything its hash covers. */
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
  readonly input?: JsonSchema;
  readonly output?: JsonSchema;
  readonly tests: readonly SkillTest[];
  /** Access that the code asks for. Absent: none. */
  readonly asks?: SandboxPermissions;
  /** Files below `references/`, by path. */
  readonly references: Readonly<Record<string, string>>;
}

/** Skill of a folder. */
export interface Skill extends SkillContent {
  /** 1 for the first version of a name. */
  readonly version: number;
  /** SHA-256 of the content. */
  readonly hash: string;
  /** Hash of the version that this one changes. */
  readonly parent?: string;
  readonly status: SkillStatus;
  /** Why no agent is offered the skill. */
  readonly deprecated?: string;
  /** Fields of the front matter that this program does not read, as they are. */
  readonly otherFields: string;
  /** Metadata that it does not read. */
  readonly otherMetadata: Readonly<Record<string, string>>;
}

/** Fields of a skill that are no content. */
export type SkillRecord = Pick<Skill, 'version' | 'parent' | 'status' | 'deprecated' | 'otherFields' | 'otherMetadata'>;

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
    | 'asks'
  > {
  readonly language?: SandboxLanguage;
  readonly tests: { readonly open: number; readonly hidden: number };
  /** Why the description must not reach an agent: it reads like an instruction to set rules aside. */
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
