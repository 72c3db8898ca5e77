import { existsSync } from 'node:fs';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Comment in front of our line, so that it is recognised when it is removed. */
const MARK = '# records of rsi, which may hold what the agent saw';

/** Change of `.gitignore` that keeps the records of a loop out of git. */
export interface IgnoreChange {
  readonly path: string;
  /** Text of the file now; absent if there is none. */
  readonly before?: string;
  readonly after: string;
  /** The line added. */
  readonly line: string;
}

/** Returns the change that ignores the folder of the loop; undefined if none is needed. Writes nothing. */
export async function ignoreChange(project: string, store: string): Promise<IgnoreChange | undefined> {
  const line = lineOf(project, store);
  if (line === undefined) return undefined;
  const path = join(project, '.gitignore');
  const text = await read(path);
  const name = line.slice(1, -1);
  if (text.split(/\r?\n/).some((each) => [line, line.slice(1), name, `/${name}`].includes(each.trim())))
    return undefined;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return { path, after: `${text}${gap}${MARK}\n${line}\n`, line, ...(existsSync(path) && { before: text }) };
}

/**
 * Adds the folder of the loop to `.gitignore` of a git repository. Returns the line added; undefined if none is needed.
 */
export async function ignoreData(project: string, store: string): Promise<string | undefined> {
  const change = await ignoreChange(project, store);
  if (change) await writeFile(change.path, change.after);
  return change?.line;
}

/** Removes the line that `ignoreData` added, and the file if it is then empty. Returns the line removed. */
export async function trackData(project: string, store: string): Promise<string | undefined> {
  const line = lineOf(project, store);
  if (line === undefined) return undefined;
  const path = join(project, '.gitignore');
  const text = await read(path);
  const added = `${MARK}\n${line}\n`;
  if (!text.includes(added)) return undefined;
  const rest = text.replace(added, '');
  await (rest === '' ? unlink(path) : writeFile(path, rest));
  return line;
}

/** Returns the ignore line, e.g. `/rsi_data/`; undefined outside a repository, or for a folder elsewhere. */
function lineOf(project: string, store: string): string | undefined {
  const path = relative(project, store).split(sep).join('/');
  const isInside = path !== '' && !path.startsWith('..') && !/[\n\r*?[\]!#\\]/.test(path);
  return isInside && isInRepository(project) ? `/${path}/` : undefined;
}

function isInRepository(folder: string): boolean {
  const path = resolve(folder);
  return existsSync(join(path, '.git')) || (dirname(path) !== path && isInRepository(dirname(path)));
}

async function read(path: string): Promise<string> {
  return existsSync(path) ? readFile(path, 'utf8') : '';
}
