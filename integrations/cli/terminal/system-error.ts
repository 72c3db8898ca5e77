/** Error of the operating system for a path. */
export interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** Describes the failure, the path and the reason: `cannot make the folder a: a file of that name is there`. */
export function systemErrorWords(error: SystemError): string {
  // For an unknown code, the system's own message is clearer.
  if (error.path === undefined || WHY[error.code] === undefined) return error.message;
  return `cannot ${DOING[error.syscall] ?? 'use'} ${error.path}: ${whyWords(error)}`;
}

/** Returns the reason for a failure, as the end of a sentence that names the path. */
export function whyWords(error: unknown): string {
  if (isSystemError(error)) return WHY[error.code] ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

const DOING: Readonly<Record<string, string>> = {
  mkdir: 'make the folder',
  scandir: 'read the folder',
  opendir: 'read the folder',
  open: 'open',
  read: 'read',
  write: 'write to',
  rename: 'move',
  unlink: 'remove',
  stat: 'look at',
  lstat: 'look at',
};

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is there',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead round in a circle',
};
