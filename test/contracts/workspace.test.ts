import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryWorkspace } from 'rsi-loop/kit';
import { DiskWorkspace } from 'rsi-loop/node';
import { workspaceContract } from 'rsi-loop/testing';
import { describe, it } from 'vitest';

workspaceContract('MemoryWorkspace', { describe, it }, { create: memoryPlace });
workspaceContract('DiskWorkspace', { describe, it }, { create: () => folderPlace(false) });
workspaceContract('DiskWorkspace by path', { describe, it }, { create: () => folderPlace(true) });

function memoryPlace() {
  const workspace = new MemoryWorkspace({ 'AGENTS.md': undefined, 'TOOLS.md': undefined });
  return {
    workspace,
    edit: (path: string, text: string | undefined) => workspace.set(path, text),
    remove: () => {},
  };
}

function folderPlace(byPath: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-workspace-'));
  mkdirSync(join(folder, 'team'));
  return {
    workspace: new DiskWorkspace(folder, { files: ['team/AGENTS.md', 'AGENTS.md'], byPath }),
    edit: (path: string, text: string | undefined) => {
      if (text === undefined) rmSync(join(folder, path));
      else writeFileSync(join(folder, path), text);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
