import { homedir } from 'node:os';
import { join } from 'node:path';

/** Home folder and variables that decide where coding agents keep their files. */
export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function thisMachine(): Machine {
  return { home: homedir(), env: process.env };
}

/** Folders of coding agents that keep transcripts. */
export interface AgentHomes {
  readonly claude: string;
  readonly codex: string;
}

/** Returns the folders of Claude Code and Codex, also if a variable moves them. */
export function agentHomes({ home, env }: Machine): AgentHomes {
  return {
    claude: env.CLAUDE_CONFIG_DIR || join(home, '.claude'),
    codex: env.CODEX_HOME || join(home, '.codex'),
  };
}

/** Returns the folders of their transcripts. */
export function transcriptFolders(machine = thisMachine()): AgentHomes {
  const { claude, codex } = agentHomes(machine);
  return { claude: join(claude, 'projects'), codex: join(codex, 'sessions') };
}
