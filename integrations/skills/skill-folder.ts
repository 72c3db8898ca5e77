import type { SkillFiles } from './skill.js';

/** Skill in a folder, and a text that differs after each change of its files. */
export interface FoundSkill {
  readonly name: string;
  readonly stamp: string;
}

/** Storage of skills. A process killed at any moment leaves each skill as it was, or as it was to become. */
export interface SkillFolder {
  /** Returns the current skills by name, sorted. Completes writes that a killed process had prepared. */
  scan(): Promise<readonly FoundSkill[]>;
  /**
   * Reads the files of a current skill.
   * @throws LoopError `invalid-input` for a skill that must not be read: missing, with a link, too large.
   */
  read(name: string): Promise<SkillFiles>;
  /** Returns the stamp of a current skill; `undefined` if there is none. */
  stampOf(name: string): string | undefined;
  /** Replaces a skill in one step. The previous files are kept as an older version. */
  put(name: string, files: SkillFiles): Promise<void>;
  /** Keeps the files of a version that is not the current one. */
  keep(name: string, files: SkillFiles): Promise<void>;
  /** Reads the versions that are not current, of a name or of all: those replaced or removed, and candidates. */
  versions(name?: string): Promise<readonly { readonly name: string; readonly files: SkillFiles }[]>;
  /** Replaces one file of a current skill: its certificate. */
  rewrite(name: string, path: string, text: string): Promise<void>;
  /** Makes the current version an older one. */
  remove(name: string): Promise<void>;
  /** Makes the newest older version the current one again, as it was removed. Returns false if there is none. */
  restore(name: string): Promise<boolean>;
  /** Returns where the files of a skill lie, for people and agents with a shell. Default: nowhere. */
  placeOf?(name: string): string;
  /** Returns a text that no copy of the folder has. Default: facts in the documents are trusted wherever they are. */
  seal?(): Promise<string | undefined>;
  /** Reads a document of this program; `undefined` if there is none. */
  readDocument(name: string): Promise<string | undefined>;
  /** Replaces a document of this program in one step. */
  writeDocument(name: string, text: string): Promise<void>;
}
