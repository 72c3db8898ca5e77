import type { Embedder, Gate, Model } from 'rsi-loop';
import type { SkillLogs } from './context.js';
import type { Sandbox, SandboxPermissions } from './sandbox.js';
import type { SkillFolder } from './skill-folder.js';

/** Options of `SkillLibrary`. */
export interface LibraryOptions {
  readonly files: SkillFolder;
  readonly logs: SkillLogs;
  readonly sandbox: Sandbox;
  /** Learns and changes skills. Default: none. */
  readonly model?: Model;
  /** Compares tasks with skills by meaning. Default: by words. */
  readonly embedder?: Embedder;
  /** Access that skills may get at most; a person grants each its part. Default: none. */
  readonly allow?: SandboxPermissions;
  /** Decides on access that a skill asks for. Default: it waits for `grant` or `deny`. */
  readonly gate?: Gate;
}
