import { LoopError } from '../contract/errors.js';

const MAX_SEGMENT_BYTES = 160;
const MAX_SEGMENTS = 8;
/** Letters of any language, digits, and a few characters without a special meaning to any system or shell. */
const SEGMENT = /^[\p{L}\p{N}._][\p{L}\p{M}\p{N}._ +@-]*$/u;
/** Names that open a device on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin|conout|com[\d¹²³]|lpt[\d¹²³])(?:[. ]|$)/i;
const MARKDOWN = /\.(?:md|mdc|markdown)$/i;

/** Folder for the backups of a file, beside that file. */
export const COPIES_FOLDER = '.rsi-backups';

/**
 * Returns why a path may not be listed in a workspace, or undefined if it may. A path must name the same file on every
 * system, and have only one spelling.
 */
function problemOf(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return 'is not a path';
  if (path !== path.normalize('NFKC')) return 'holds characters that look like others';
  const segments = path.split('/');
  if (segments.length > MAX_SEGMENTS) return `lies more than ${MAX_SEGMENTS} folders deep`;
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') return 'is not relative to the workspace';
    if (!SEGMENT.test(segment)) return 'holds characters other than letters, digits and . _ - + @';
    if (/[. ]$/.test(segment)) return 'has a name that ends with a dot or a space';
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a name longer than ${MAX_SEGMENT_BYTES} bytes`;
    if (DEVICE.test(segment)) return 'has the name of a device';
    if (/^\.git$/i.test(segment)) return 'lies in the folder of git';
    if (segment.toLowerCase() === COPIES_FOLDER) return 'lies among the copies of this workspace';
  }
  return MARKDOWN.test(path) ? undefined : 'is not a Markdown file (.md, .mdc, .markdown)';
}

/**
 * Checks the file list of a workspace.
 * @throws LoopError `workspace-refused` if a path may not be listed.
 */
export function checkPaths(paths: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const path of paths) {
    const problem = problemOf(path);
    if (problem !== undefined) throw refused(path, problem);
    // If names differ only by case, some systems have two files and some have one.
    if (seen.has(path.toLowerCase())) throw refused(path, 'is listed twice');
    seen.add(path.toLowerCase());
  }
  return [...paths];
}

export function refused(path: unknown, why: string, cause?: unknown): LoopError {
  return new LoopError('workspace-refused', `${shown(path)} ${why}`, cause === undefined ? {} : { cause });
}

export function failed(path: unknown, why: string, cause: unknown): LoopError {
  return new LoopError('workspace-failed', `${shown(path)} ${why}`, { cause });
}

function shown(path: unknown): string {
  return typeof path === 'string' ? JSON.stringify(path.slice(0, 200)) : `a path that is ${typeof path}`;
}
