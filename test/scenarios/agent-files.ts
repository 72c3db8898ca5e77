import type { Workspace } from 'rsi-loop';
import type { WorkspaceFile } from 'rsi-loop/testing';
import { hashHex } from '../../src/lib/hash.js';

/** The files of an agent, in memory; `between` runs once before the next write, as a person who edits meanwhile would. */
export class AgentFiles implements Workspace {
  readonly files: readonly string[];
  readonly texts = new Map<string, string>();
  between: (() => void) | undefined;

  constructor(texts: Readonly<Record<string, string>>, files = Object.keys(texts)) {
    this.files = files;
    for (const [path, text] of Object.entries(texts)) this.texts.set(path, text);
  }

  async read(path: string): Promise<WorkspaceFile> {
    const text = this.texts.get(path);
    const hash = text === undefined ? '' : hashHex(text);
    return { path, hash, unmerged: [], ...(text !== undefined && { text }) };
  }

  async write(path: string, text: string | undefined, after: string) {
    const meanwhile = this.between;
    this.between = undefined;
    meanwhile?.();
    const before = await this.read(path);
    if (before.hash !== after) return { kind: 'conflict', file: before } as const;
    if (text === undefined) this.texts.delete(path);
    else this.texts.set(path, text);
    return { kind: 'ok', file: await this.read(path) } as const;
  }
}
