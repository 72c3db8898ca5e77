import { readFileSync } from 'node:fs';
// The bundle declares `createRequire` at its top.
import * as nodeModule from 'node:module';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { originalPosition, parseSourceMap, type SourceMap } from './source-map.js';
import type { StackFrame } from './stack-frames.js';

/** Largest file that is read for a frame, in characters. */
const MAX_FILE = 5_000_000;

/**
 * Returns a frame at its place in the source: absolute path, and the position by the source map of the file, if it has
 * one. Never throws.
 */
export function sourceFrame(frame: StackFrame): StackFrame {
  const file = pathOf(frame.file);
  if (file === undefined) return frame;
  const known = fromNode(frame.file, frame) ?? fromFile(file, frame);
  return known ?? { ...frame, file };
}

/** Returns a path for a path or an address of a file. */
export function pathOf(file: string): string | undefined {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : resolve(file);
  } catch {
    return undefined;
  }
}

/** Asks Node, which knows source maps if the process runs with --enable-source-maps. */
function fromNode(file: string, frame: StackFrame): StackFrame | undefined {
  try {
    const entry = nodeModule.findSourceMap(file)?.findEntry(frame.line - 1, frame.column - 1);
    if (!entry || !('originalSource' in entry)) return undefined;
    return {
      ...frame,
      file: pathOf(entry.originalSource) ?? file,
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  } catch {
    return undefined;
  }
}

function fromFile(file: string, frame: StackFrame): StackFrame | undefined {
  const found = mapOf(file);
  const position = found && originalPosition(found.map, frame.line, frame.column);
  if (!position) return undefined;
  const source = position.source.startsWith('file:') ? pathOf(position.source) : resolve(found.folder, position.source);
  return { ...frame, file: source ?? file, line: position.line, column: position.column };
}

const COMMENT = '//# sourceMappingURL=';

/** Reads the map that the last lines of a file name: inside of the file, or in a file beside it. */
function mapOf(file: string): { readonly map: SourceMap; readonly folder: string } | undefined {
  const text = readSource(file);
  const at = text?.lastIndexOf(COMMENT) ?? -1;
  if (text === undefined || at < 0) return undefined;
  const address = (text.slice(at + COMMENT.length).split(/\s/, 1)[0] ?? '').trim();
  const inline = /^data:[\w/+.-]+(?:;charset=[\w-]+)?;base64,/.exec(address)?.[0];
  const beside = resolve(dirname(file), inline === undefined ? address : file);
  const json =
    inline === undefined ? readSource(beside) : Buffer.from(address.slice(inline.length), 'base64').toString();
  const map = json === undefined ? undefined : parseSourceMap(json);
  return map && { map, folder: dirname(beside) };
}

/** Returns the text of a file; undefined if it cannot be read or is too large. */
export function readSource(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return text.length > MAX_FILE ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns a path relative to a folder, with `/`; undefined for one outside of it. */
export function pathInside(folder: string, file: string): string | undefined {
  const path = relative(folder, file);
  const isInside = path !== '' && !path.startsWith('..') && !isAbsolute(path);
  return isInside ? path.replaceAll(sep, '/') : undefined;
}
