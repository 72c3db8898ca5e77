import { type FileSystem, machineFileSystem } from './file-system.js';

/**
 * Read-only view of the machine's files: with it a `FileStore` creates, changes and removes nothing. Optional cleanup
 * is skipped. Operations that need to write fail with `EROFS`.
 */
export const readOnlyFileSystem: FileSystem = {
  ...machineFileSystem,
  open: async (path, flags) => (flags === 'r' ? machineFileSystem.open(path, 'r') : refuse(path)),
  write: async () => refuse(),
  fsync: async () => refuse(),
  link: async (_, created) => refuse(created),
  rename: async (_, to) => refuse(to),
  mkdir: async () => {},
  unlink: async () => {},
  rmdir: async () => {},
  fsyncFolder: async () => {},
  openSync: refuse,
  writeSync: () => refuse(),
  fsyncSync: () => refuse(),
  mkdirSync: () => {},
};

function refuse(path?: string): never {
  const message = `EROFS: opened for reading only${path === undefined ? '' : ` '${path}'`}`;
  throw Object.assign(new Error(message), { code: 'EROFS' });
}
