/** `rsi-loop/skills`: code that an agent may call, in a sandbox, tested, and kept only if it is proven to help. */
import { basename, dirname, resolve } from 'node:path';
import type { RSILoop } from 'rsi-loop';
import { mustBe, showValue } from 'rsi-loop/kit';
import {
  checkSkillFiles,
  FileSkillFolder,
  fileLogs,
  type LibraryOptions,
  type SkillCheck,
  SkillLibrary,
} from 'rsi-loop/skills/core';
import type { LedgerLog } from 'rsi-loop/testing';
import type { Sandbox } from './sandbox.js';
import { openSandbox } from './sandboxes/open-sandbox.js';

export type {
  CallOptions,
  Learned,
  LearnOptions,
  ListedSkill,
  MemoryView,
  MetaView,
  Mutated,
  OfferedSkill,
  RecordedExamples,
  Skill,
  SkillCheck,
  SkillEvent,
  SkillLibrary,
  SkillVersion,
  TestReport,
} from 'rsi-loop/skills/core';
export { recordedExamples } from 'rsi-loop/skills/core';

/** Options of `openSkills`. */
export interface SkillsOptions extends Omit<LibraryOptions, 'files' | 'logs' | 'sandbox'> {
  /** Folder with one folder for each skill, such as `./.agents/skills`. */
  readonly folder: string;
  /** Runs the code of skills. Default: JavaScript and TypeScript in QuickJS, and WebAssembly as WASI commands. */
  readonly sandbox?: Sandbox;
}

/** Opens a folder of skills for a loop. Reading begins with the first verb. */
export function openSkills(
  loop: RSILoop,
  { folder, sandbox = openSandbox(), ...options }: SkillsOptions,
): SkillLibrary {
  mustBe(typeof sandbox?.run === 'function', 'sandbox', showValue(sandbox), 'a Sandbox, such as openSandbox()');
  const place = resolve(folder);
  return new SkillLibrary(loop, { ...options, sandbox, files: new FileSkillFolder(place), logs: fileLogs(place) });
}

/**
 * Checks one skill offline: files, hash, tests and certificate. With `ledger`, the certificate is compared with the
 * decisions of the loop that proved it. `run: false` does not run its tests.
 */
export async function checkSkill(
  folder: string,
  {
    ledger,
    sandbox,
    run = true,
  }: { readonly ledger?: LedgerLog; readonly sandbox?: Sandbox; readonly run?: boolean } = {},
): Promise<SkillCheck> {
  const place = resolve(folder);
  const name = basename(place);
  const skills = new FileSkillFolder(dirname(place));
  const files = await skills.read(name);
  const runner = run ? (sandbox ?? openSandbox()) : undefined;
  try {
    return await checkSkillFiles(name, files, {
      ...(runner && { sandbox: runner, folder: skills }),
      ...(ledger && { ledger }),
    });
  } finally {
    if (runner !== sandbox) await runner?.close();
  }
}
