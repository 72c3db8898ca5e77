import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Kills this process right before one of the things it does to files by `node:fs/promises`; 1 is the first. */
export function killAt(step: number): void {
  let steps = 0;
  const functions = fs as unknown as Record<string, (...args: readonly unknown[]) => unknown>; // those named below are
  for (const name of ['link', 'mkdir', 'open', 'readdir', 'rename', 'rmdir', 'unlink', 'writeFile', 'lstat'] as const) {
    const real = functions[name];
    functions[name] = (...args) => {
      if (++steps === step) process.kill(process.pid, 'SIGKILL');
      return real?.(...args);
    };
  }
  syncBuiltinESMExports();
}
