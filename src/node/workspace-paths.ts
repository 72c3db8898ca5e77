import { LoopError } from '../contract/errors.js';
import { mustBe } from '../lib/must-be.js';
import { showValue } from '../lib/text.js';

const MAX_SEGMENT_BYTES = 160;
const MAX_SEGMENTS = 8;
/** Letters of any language, digits, and a few characters without a special meaning to any system or shell. */
const SEGMENT = /^[\p{L}\p{N}._][\p{L}\p{M}\p{N}._ +@-]*$/u;
/** Names that open a device on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin|conout|com[\d¹²³]|lpt[\d¹²³])(?:[. ]|$)/i;
const MARKDOWN = /\.(?:md|mdc|markdown)$/i;

/** Folder for the backups of a file, beside that file. */
export const COPIES_FOLDER = '.rsi-backups';

/** Names that no segment of a path may have, with the reason. */
const NAME_PROBLEMS: readonly (readonly [(name: string) => boolean, string])[] = [
  [(name) => /^\.{0,2}$/.test(name), 'is not relative to the workspace'],
  [(name) => !SEGMENT.test(name), 'holds characters other than letters, digits and . _ - + @'],
  [(name) => /[. ]$/.test(name), 'has a name that ends with a dot or a space'],
  [(name) => Buffer.byteLength(name) > MAX_SEGMENT_BYTES, `has a name longer than ${MAX_SEGMENT_BYTES} bytes`],
  [(name) => DEVICE.test(name), 'has the name of a device'],
  [(name) => name.toLowerCase() === '.git', 'lies in the folder of git'],
  [(name) => name.toLowerCase() === COPIES_FOLDER, 'lies among the copies of this workspace'],
];

/**
 * Returns why a path may not be listed in a workspace, or undefined if it may. A path must name the same file on every
 * system, and have only one spelling.
 */
function pathProblem(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return 'is not a path';
  if (path !== path.normalize('NFKC')) return 'holds characters that look like others';
  const segments = path.split('/');
  if (segments.length > MAX_SEGMENTS) return `lies more than ${MAX_SEGMENTS} folders deep`;
  for (const segment of segments) {
    const problem = NAME_PROBLEMS.find(([isWrong]) => isWrong(segment));
    if (problem !== undefined) return problem[1];
  }
  return MARKDOWN.test(path) ? undefined : 'is not a Markdown file (.md, .mdc, .markdown)';
}

/**
 * Checks the file list of a workspace.
 * @throws LoopError `workspace-refused` if a path may not be listed.
 */
export function checkPaths(paths: readonly string[]): readonly string[] {
  mustBe(Array.isArray(paths), 'files', showValue(paths), 'a list of paths');
  const seen = new Set<string>();
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem !== undefined) throw refused(path, problem);
    // If names differ only by case, some systems have two files and some have one.
    if (seen.has(path.toLowerCase())) throw refused(path, 'is listed twice');
    seen.add(path.toLowerCase());
  }
  return [...paths];
}

export function refused(path: unknown, why: string, cause?: unknown): LoopError {
  return new LoopError('workspace-refused', `${quotedPath(path)} ${why}`, cause === undefined ? {} : { cause });
}

export function failed(path: unknown, why: string, cause: unknown): LoopError {
  return new LoopError('workspace-failed', `${quotedPath(path)} ${why}`, { cause });
}

function quotedPath(path: unknown): string {
  return typeof path === 'string' ? JSON.stringify(path.slice(0, 200)) : `a path that is ${typeof path}`;
}
