import { type FileSystem, machineFileSystem } from 'rsi-loop/node';

/**
 * The machine's files for whoever only looks: nothing is created, changed or removed. What a store tidies up by the way
 * is left to those who write; what it cannot do without is refused.
 */
export const readOnlyFileSystem: FileSystem = {
  ...machineFileSystem,
  open: async (path, flags) => (flags === 'r' ? machineFileSystem.open(path, 'r') : refuse(path)),
  mkdir: async () => {},
  unlink: async () => {},
  rmdir: async () => {},
  write: () => refuse(),
  link: (_, created) => refuse(created),
  rename: (_, to) => refuse(to),
  fsync: () => refuse(),
  openSync: refuse,
  writeSync: refuse,
  mkdirSync: refuse,
};

function refuse(path?: unknown): never {
  const where = typeof path === 'string' ? ` '${path}'` : '';
  throw Object.assign(new Error(`EROFS: opened for reading only${where}`), { code: 'EROFS' });
}
