import type { FixStatus } from 'rsi-loop';
import type { TextChange } from './bench-views.js';

/** `GET api/skills` */
export interface SkillsView {
  /** Folder of the skills. Undefined if this dashboard shows no skills. */
  readonly folder?: string;
  /** By name, at most 2,000. */
  readonly skills: readonly SkillRow[];
  /** Skills that were not read, and why; at most 100. */
  readonly rejected: readonly { readonly name: string; readonly problem: string }[];
}

/** State of a skill. Agents get only those that are `working` or consist of `instructions`. */
export type SkillState = 'working' | 'instructions' | 'untested' | 'failed' | 'deprecated' | 'held back';

/** Skill as one row. */
export interface SkillRow {
  readonly name: string;
  /** When to use it. */
  readonly description: string;
  readonly state: SkillState;
  /** Why it is deprecated or held back. */
  readonly reason?: string;
  /** Language of its code, or `instructions`. */
  readonly language: string;
  readonly version: number;
  /** First characters of its hash, and of its parent's. */
  readonly hash: string;
  readonly parent?: string;
  /** Calls of this version, and those that failed. */
  readonly calls: number;
  readonly failures: number;
  /** Time of the last call, epoch milliseconds. */
  readonly lastMs?: number;
  /** Newest fix that proves or proved this version. */
  readonly proof?: { readonly id: string; readonly status: FixStatus };
}

/** `GET api/skills/:name?version=` */
export interface SkillView {
  readonly row: SkillRow;
  readonly whenNot?: string;
  /** Instructions in Markdown, as text. */
  readonly body: string;
  /** Access that it asks for, as JSON. */
  readonly asks?: string;
  /** Tests of the current version, at most 200. */
  readonly tests: readonly { readonly input: string; readonly output: string; readonly hidden: boolean }[];
  readonly omitted: number;
  /** Children below their parents, at most 500. */
  readonly versions: readonly SkillVersionRow[];
  /** Version that was asked for, or else the current one, beside its parent. Absent without a parent. */
  readonly compared?: { readonly version: string; readonly parent: string; readonly change: readonly TextChange[] };
  readonly certificate?: SkillCertificate;
}

export interface SkillVersionRow {
  readonly version: number;
  readonly hash: string;
  /** Number of ancestors in the folder. */
  readonly depth: number;
  readonly role: 'current' | 'candidate' | 'older';
  readonly state: SkillState;
}

/** Certificate of the current version; with `problems`, it does not hold. */
export interface SkillCertificate {
  readonly problems: readonly string[];
  /** Facts of a certificate that holds. */
  readonly facts?: {
    readonly task: string;
    readonly fixId: string;
    readonly eValue: number;
    readonly needed: number;
    readonly fix: { readonly tasks: number; readonly failures: number };
    readonly control: { readonly tasks: number; readonly failures: number };
    readonly atMs: number;
  };
}
