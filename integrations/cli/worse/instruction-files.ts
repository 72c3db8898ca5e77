import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Files and folders that instruct coding agents. */
const PATHS = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.claude', '.codex', '.cursor', '.mcp.json'];
const MAX_COMMITS = 500;
const MAX_FILES = 20;
const TIMEOUT_MS = 5_000;
/** No program that a repository names is run. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false', '-c', 'core.quotePath=false'];

/** Commit that changed a file. */
interface FileChange {
  readonly atMs: number;
  readonly commit: string;
  readonly file: string;
}

/** Dates the files that instruct agents, by the commits of git. Reads each folder once. */
export class InstructionFiles {
  /** Changes by folder, newest first. */
  readonly #changes = new Map<string, readonly FileChange[]>();

  /** Returns the commit of each file of a folder at a time, by the path of the file; nothing without git or the folder. */
  at(folder: string, atMs: number): Readonly<Record<string, string>> {
    const changes = this.#changes.get(folder) ?? readChanges(folder);
    this.#changes.set(folder, changes);
    const found = new Map<string, string>();
    for (const change of changes)
      if (change.atMs <= atMs && !found.has(change.file) && found.size < MAX_FILES)
        found.set(change.file, change.commit);
    return Object.fromEntries(found);
  }
}

function readChanges(folder: string): readonly FileChange[] {
  if (!existsSync(folder)) return [];
  try {
    const format = ['--format=%x00%ct %h', '--name-only', '--relative', `--max-count=${MAX_COMMITS}`];
    const text = execFileSync('git', [...SAFE, 'log', ...format, '--', ...PATHS], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C' }, // no variable of git redirects it
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
      maxBuffer: 8 * 1_048_576,
    });
    return text.split('\0').flatMap((part) => {
      const [head = '', ...files] = part.split('\n').filter((line) => line !== '');
      const [seconds, commit = ''] = head.split(' ');
      return files.map((file) => ({ atMs: Number(seconds) * 1_000, commit, file: file.slice(0, 200) }));
    });
  } catch {
    return []; // it is no repository, or git is missing
  }
}
