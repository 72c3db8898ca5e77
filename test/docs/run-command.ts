import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a line in a shell where `npx rsi-loop` is this command, as `buildCommand` builds it. Returns what it printed. */
export async function run(
  line: string,
  folder: string,
  command: string,
): Promise<{ readonly code: number; readonly text: string }> {
  const commands = mkdtempSync(join(tmpdir(), 'rsi-npx-'));
  try {
    const npx = join(commands, 'npx');
    writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${command}" "$@"\n`);
    chmodSync(npx, 0o755);
    const own = { PATH: `${commands}:${process.env.PATH}`, COLUMNS: '80', HOME: folder, NO_COLOR: '1' };
    return await new Promise((done) =>
      execFile('sh', ['-c', line], { cwd: folder, env: { ...process.env, ...own } }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
      ),
    );
  } finally {
    rmSync(commands, { recursive: true, force: true });
  }
}
