import { type Fix, SystemClock } from 'rsi-loop';
import { FileSkillFolder, type SkillDetail, type SkillList, SkillReader } from 'rsi-loop/skills/core';

/** Skills of a folder. */
export interface SkillSource {
  /** Place of the skills, for people. */
  readonly name: string;
  list(fixes: Iterable<Fix>): Promise<SkillList>;
  /** Returns undefined if there is no such skill. */
  read(name: string, fixes: Iterable<Fix>): Promise<SkillDetail | undefined>;
  /** Returns another text once there is something new. */
  stamp(): Promise<string>;
}

/** Returns the skills of a folder on the disk. */
export function skillFolder(folder: string): SkillSource {
  const reader = new SkillReader(new FileSkillFolder(folder), new SystemClock());
  return {
    name: folder,
    list: (fixes) => reader.list(fixes),
    read: (name, fixes) => reader.read(name, fixes),
    stamp: () => reader.stamp(),
  };
}
