import type { FixOf, PromptChange, Workspace } from 'rsi-loop';
import { messageOf, textVersions } from 'rsi-loop/kit';

export interface PromptFilesOptions {
  /** Workspace to write to. Without one, texts are only handed to tasks. */
  readonly workspace?: Workspace | undefined;
  readonly report: (message: string) => void;
}

/** `other`: the file holds another text, so nothing was written. `later`: an error was reported, and a cycle tries again. */
type FileResult = 'done' | 'other' | 'later';

/** Writes confirmed texts into their files, and restores the text before, byte for byte. */
export class PromptFiles {
  readonly #options: PromptFilesOptions;
  /** Messages already reported, by fix. */
  readonly #reported = new Map<string, string>();

  constructor(options: PromptFilesOptions) {
    this.#options = options;
  }

  isWritable(file: string | undefined): file is string {
    return file !== undefined && (this.#options.workspace?.files.includes(file) ?? false);
  }

  /** Replaces the previous text by the new one, if the file still holds the previous one. */
  async write({ id, change }: FixOf<PromptChange>, file: string): Promise<boolean> {
    const { name, text, undo, version } = change;
    const result = await this.#replace(id, file, undo.text, text);
    if (result !== 'other') return result === 'done';
    const is = `${file} does not hold version ${textVersions.shortVersion(undo.version)} of ${name}`;
    this.#report(
      id,
      `${is}, so version ${textVersions.shortVersion(version)} was not written: rsi explain ${id} shows it`,
    );
    return false;
  }

  /** Restores the previous text. If the file was edited since, leaves it and reports that. */
  async restore({ id, change }: FixOf<PromptChange>, file: string): Promise<boolean> {
    const { name, text, undo, version } = change;
    const result = await this.#replace(id, file, text, undo.text);
    if (result === 'other') {
      this.#report(
        id,
        `${file} was edited since version ${textVersions.shortVersion(version)} of ${name}, and was left as it is`,
      );
    }
    return result !== 'later';
  }

  async #replace(id: string, path: string, from: string, to: string): Promise<FileResult> {
    const { workspace } = this.#options;
    try {
      const before = await workspace?.read(path);
      const after = before?.text === undefined ? undefined : replaceWhole(before.text, from, to);
      if (!workspace || !before || after === undefined) return 'other';
      const result = await workspace.write(path, after, before.hash);
      if (result.kind === 'ok') return 'done';
      this.#report(id, `${path} was changed meanwhile: the next cycle tries again`);
    } catch (error) {
      this.#report(id, `${path}: ${messageOf(error)}`);
    }
    return 'later';
  }

  #report(id: string, message: string): void {
    if (this.#reported.get(id) === message) return;
    this.#reported.set(id, message);
    this.#options.report(message);
  }
}

/**
 * Returns the content with the text replaced, if the text is all of it but white space and a byte order mark around it.
 * Line breaks stay as the file has them.
 */
export function replaceWhole(content: string, from: string, to: string): string | undefined {
  for (const inFile of [(text: string) => text, withCrLf]) {
    const [old, young] = [inFile(from), inFile(to)];
    if (content === young || content === old) return young;
    const at = content.indexOf(old);
    if (at < 0) continue;
    const [lead, trail] = [content.slice(0, at), content.slice(at + old.length)];
    if (`${lead}${trail}`.replace(/\uFEFF/g, '').trim() === '') return lead + young + trail;
  }
  return undefined;
}

function withCrLf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}
