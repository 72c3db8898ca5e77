import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { messageOf } from 'rsi-loop/kit';

/**
 * Reads the JSON files of a folder (`./bench`), of a pattern with `*` in the file name (`./bench/*.json`), or one file.
 * A file holds one value or a list of values. Returns all values in the order of the file names.
 * @throws LoopError `invalid-input` naming the file that is missing, or is not JSON.
 */
export function readJsonFiles(path: string): readonly unknown[] {
  return filesOf(path).flatMap(readJson);
}

function filesOf(path: string): readonly string[] {
  const pattern = basename(path);
  if (pattern.includes('*')) return listed(dirname(path), pattern, path);
  return reading(path, () => statSync(path)).isDirectory() ? listed(path, '*.json', path) : [path];
}

function listed(folder: string, pattern: string, path: string): readonly string[] {
  const parts = pattern.split('*');
  const names = reading(path, () => readdirSync(folder));
  const found = names.filter((name) => hasParts(name, parts)).sort();
  if (found.length > 0) return found.map((name) => join(folder, name));
  throw new LoopError(
    'invalid-input',
    `${path} names no file: give a folder with *.json files, or a pattern such as ./bench/*.json`,
  );
}

/** Returns whether the parts of a pattern occur in a name: the first at its start, the last at its end. */
function hasParts(name: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

function readJson(file: string): unknown {
  return reading(file, () => JSON.parse(readFileSync(file, 'utf8')));
}

function reading<Read>(path: string, read: () => Read): Read {
  try {
    return read();
  } catch (cause) {
    throw new LoopError('invalid-input', `cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
