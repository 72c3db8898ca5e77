import { LoopError } from '../contract/errors.js';

const MAX_SEGMENT_BYTES = 160;
const MAX_SEGMENTS = 8;
/** Letters of any language, digits, and a few signs that no system or shell gives a meaning to. */
const SEGMENT = /^[\p{L}\p{N}._][\p{L}\p{M}\p{N}._ +@-]*$/u;
/** Names that open a device on Windows, whatever ending they have. */
const DEVICE = /^(?:con|prn|aux|nul|conin|conout|com[\d¹²³]|lpt[\d¹²³])(?:[. ]|$)/i;
const MARKDOWN = /\.(?:md|mdc|markdown)$/i;

/** Kept copies of a workspace live here, beside the file they are of. */
export const COPIES_FOLDER = '.rsi-backups';

/**
 * Why a path may not stand in the list of a workspace, or undefined when it may. It has to mean the same file on every
 * system, written in the one way there is to write it.
 */
function problemOf(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return 'is no path';
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
  return MARKDOWN.test(path) ? undefined : 'is no Markdown file (.md, .mdc, .markdown)';
}

/** The list of a workspace. @throws LoopError `workspace-refused` when one of them may not stand in it. */
export function checkPaths(paths: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const path of paths) {
    const problem = problemOf(path);
    if (problem !== undefined) throw refused(path, problem);
    // Where names differ by case alone some systems have two files and some have one.
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
