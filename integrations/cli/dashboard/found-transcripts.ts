import { readdir } from 'node:fs/promises';
import type { FoundTranscripts } from '../../dashboard/views.js';
import { type Machine, transcriptFolders } from '../agent-homes.js';

/** Returns the transcripts of coding agents on this machine, one entry per agent that has some. Reads only names. */
export async function findTranscripts(machine?: Machine): Promise<readonly FoundTranscripts[]> {
  const { claude, codex } = transcriptFolders(machine);
  const places = [
    { agent: 'Claude Code', path: claude },
    { agent: 'Codex', path: codex },
  ];
  const found = await Promise.all(
    places.map(async (place) => {
      const names = await readdir(place.path, { recursive: true }).catch((): string[] => []);
      return { ...place, files: names.filter((name) => name.endsWith('.jsonl')).length };
    }),
  );
  return found.filter(({ files }) => files > 0);
}
