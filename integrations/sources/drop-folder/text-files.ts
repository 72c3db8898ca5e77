import { constants } from 'node:fs';
import { lstat, open, readdir, rename, writeFile } from 'node:fs/promises';
import type { RSILoop } from 'rsi-loop';
import { textVersions } from 'rsi-loop/kit';
import type { PinnedDirectory } from 'rsi-loop/node';
import { textsIn, tunableText } from 'rsi-loop/prompts';
import { codeOf, ifThere } from './drop-files.js';

const TEXT = /^(.+)\.(?:md|txt)$/i;
const MAX_TEXTS = 200;
/** Far more than a text may have, so that the loop names the limit in characters. */
const MAX_BYTES = 2_000_000;

/** File of a text when it was read last. */
interface Known {
  readonly stamp: string;
  readonly version?: string;
  /** Why the file cannot be used; the earlier text of that name stays. */
  readonly problem?: string;
}

/** Texts that programs declare by files: `prompts/support.system.md` is the text `support.system`. */
export class TextFiles {
  readonly #loop: RSILoop;
  readonly #report: (message: string) => void;
  readonly #known = new Map<string, Known>();
  /** Versions that this process has written as files. */
  readonly #written = new Set<string>();

  constructor(loop: RSILoop, report: (message: string) => void) {
    this.#loop = loop;
    textsIn(loop); // this process may decide about texts that other programs declare
    this.#report = report;
  }

  /** Declares the texts that are new or have changed. An invalid file is reported once, and the text before stays. */
  async read(folder: PinnedDirectory): Promise<void> {
    const files = (await readdir(folder.at(''))).filter((name) => TEXT.test(name) && !name.startsWith('.')).sort();
    for (const file of files.slice(0, MAX_TEXTS)) {
      const name = TEXT.exec(file)?.[1] ?? file;
      const found = await ifThere(lstat(folder.at(file)));
      const stamp = found ? `${file} ${found.size} ${found.mtimeMs} ${found.ino}` : '';
      if (!found || this.#known.get(name)?.stamp === stamp) continue;
      this.#known.set(name, await this.#declare(name, folder.at(file), stamp));
    }
    if (files.length > MAX_TEXTS)
      this.#report(`prompts/ holds ${files.length} texts, and at most ${MAX_TEXTS} are read: remove some`);
  }

  /** Returns the version of a text that programs declared; undefined if there is none. */
  versionOf(name: string): string | undefined {
    return this.#known.get(name)?.version;
  }

  /** Returns why the file of a text cannot be used. */
  problemOf(name: string): string | undefined {
    return this.#known.get(name)?.problem;
  }

  get names(): readonly string[] {
    return [...this.#known].flatMap(([name, { version }]) => (version === undefined ? [] : name));
  }

  /** Writes a version as a file that sessions share, and returns its name. */
  async write(folder: PinnedDirectory, text: string): Promise<{ readonly version: string; readonly file: string }> {
    const version = textVersions.versionOf(text);
    const file = `${version}.md`;
    if (!this.#written.has(version)) {
      folder.confirm();
      await writeWhole(folder, file, text);
      this.#written.add(version);
    }
    return { version, file };
  }

  async #declare(name: string, path: string, stamp: string): Promise<Known> {
    const before = this.#known.get(name)?.version;
    try {
      const text = await readText(path);
      tunableText(this.#loop, name, { text, ...(before !== undefined && { replaces: before }) });
      return { stamp, version: textVersions.versionOf(text) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const stays = before === undefined ? 'no task gets it' : `version ${before} stays in force`;
      const problem = `prompts/${name}: ${reason}; ${stays}`;
      this.#report(problem);
      return { stamp, problem, ...(before !== undefined && { version: before }) };
    }
  }
}

/** Replaces a file atomically, so that programs never read a part of it. */
export async function writeWhole(folder: PinnedDirectory, name: string, text: string): Promise<void> {
  const temporary = folder.at(`.${name}.tmp`);
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, folder.at(name));
}

async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path, MAX_BYTES);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('the file is not UTF-8: save it as UTF-8');
  }
}

/** Reads a small file. Follows no link. @throws Error saying why it cannot be read. */
export async function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  const found = await lstat(path);
  if (!found.isFile()) throw new Error('is not a plain file: write the file itself here');
  if (found.size > maxBytes) throw new Error(`the file has ${found.size} bytes, and at most ${maxBytes} are read`);
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch(
    (error: unknown) => {
      throw new Error(`the file cannot be read (${codeOf(error)})`);
    },
  );
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
