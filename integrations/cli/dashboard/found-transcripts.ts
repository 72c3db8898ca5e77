import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FoundTranscripts } from '../../dashboard/views.js';

/** Folders in which coding agents keep their transcripts, with the variables that move them. */
const PLACES = [
  { agent: 'Claude Code', variable: 'CLAUDE_CONFIG_DIR', home: '.claude', below: 'projects' },
  { agent: 'Codex', variable: 'CODEX_HOME', home: '.codex', below: 'sessions' },
] as const;

/** Returns the transcripts of coding agents on this machine, one entry per agent that has some. Reads only names. */
export async function findTranscripts(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): Promise<readonly FoundTranscripts[]> {
  const found = await Promise.all(
    PLACES.map(async ({ agent, variable, home: folder, below }) => {
      const path = join(env[variable] ?? join(home, folder), below);
      const names = await readdir(path, { recursive: true }).catch((): string[] => []);
      return { agent, path, files: names.filter((name) => name.endsWith('.jsonl')).length };
    }),
  );
  return found.filter(({ files }) => files > 0);
}
