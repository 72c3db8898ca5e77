import { statSync } from 'node:fs';
import type { Option } from 'commander';
import { LoopError, type RSILoopOptions } from 'rsi-loop';
import { DiskWorkspace } from 'rsi-loop/node';
import { ConfiguredOption } from '../config/configured-option.js';

/** Returns the option of verbs that may write into the agent's own files. */
export function workspaceOption(): Option {
  return new ConfiguredOption(
    '--workspace <folder>',
    "the folder of the agent's files (SOUL.md, AGENTS.md, TOOLS.md): rules are written into them immediately",
    'loop.workspace',
  );
}

/**
 * Returns the workspace option for a folder.
 * @throws LoopError `workspace-refused` for an unusable folder.
 */
export function workspaceOf(folder: string | undefined): Pick<RSILoopOptions, 'workspace'> {
  if (folder === undefined) return {};
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new LoopError('workspace-refused', `no folder ${folder}: name that of the agent's files with --workspace`);
  }
  return { workspace: new DiskWorkspace(folder) };
}
