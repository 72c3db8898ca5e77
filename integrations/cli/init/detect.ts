import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentHomes, type Machine, thisMachine } from '../agent-homes.js';
import { isObject } from '../config/check-config.js';
import { SDKS, type Sdk } from './sdks.js';

/** Result of looking at a project. */
export interface Found {
  readonly agents: readonly AgentFound[];
  readonly sdks: readonly { readonly sdk: Sdk; readonly name: string; readonly version: string }[];
  /** Files with rules for agents, such as `AGENTS.md`. */
  readonly ruleFiles: readonly string[];
  readonly manifest: 'none' | 'usable' | 'broken';
  /** True if the project depends on rsi-loop. */
  readonly isInstalled: boolean;
  /** True if a configuration in TypeScript can be read here. */
  readonly readsTypeScript: boolean;
}

export interface AgentFound {
  readonly name: 'claude' | 'codex' | 'gemini' | 'cursor';
  readonly title: string;
  /** Folder that shows it: `.claude`, `~/.codex`. */
  readonly because: string;
  readonly transcripts?: Transcripts;
}

/** Sessions of an agent on this machine. */
export interface Transcripts {
  readonly folder: string;
  readonly sessions: number;
  /** True if all of them are of this project. */
  readonly ofProject: boolean;
}

/** Looks at a project and at the agents of its user. Reads names of files and `package.json`, no transcripts. */
export function detect(project: string, machine = thisMachine()): Found {
  const manifest = readManifest(project);
  const packages = manifest === 'broken' || manifest === undefined ? new Map<string, string>() : packagesOf(manifest);
  const readsTypes = Boolean((process.features as { typescript?: unknown }).typescript);
  const hasCompiler = existsSync(join(project, 'node_modules', 'typescript'));
  return {
    agents: findAgents(project, machine),
    sdks: findSdks(project, packages),
    ruleFiles: ['AGENTS.md', 'CLAUDE.md', 'SOUL.md', 'TOOLS.md'].filter((name) => existsSync(join(project, name))),
    manifest: manifest === undefined ? 'none' : manifest === 'broken' ? 'broken' : 'usable',
    isInstalled: packages.has('rsi-loop') || existsSync(join(project, 'node_modules', 'rsi-loop')),
    readsTypeScript: hasCompiler || (readsTypes && existsSync(join(project, 'tsconfig.json'))),
  };
}

function findAgents(project: string, machine: Machine): readonly AgentFound[] {
  const { home } = machine;
  const { claude, codex } = agentHomes(machine);
  const gemini = join(home, '.gemini');
  // Claude Code names the folder of a project by its path.
  const own = join(claude, 'projects', project.replace(/[^a-zA-Z0-9]/g, '-'));
  const claudeSessions = transcriptsIn(own, /\.jsonl$/, true) ?? transcriptsIn(join(claude, 'projects'), /\.jsonl$/);
  const rows: readonly [AgentFound['name'], string, string, Transcripts | undefined][] = [
    ['claude', 'Claude Code', claude, claudeSessions],
    ['codex', 'Codex', codex, transcriptsIn(join(codex, 'sessions'), /(?:^|\/)rollout-[^/]*\.jsonl$/)],
    ['gemini', 'Gemini CLI', gemini, transcriptsIn(join(gemini, 'tmp'), /(?:^|\/)session-[^/]*\.json$/)],
    ['cursor', 'Cursor', join(home, '.cursor'), undefined],
  ];
  return rows.flatMap(([name, title, homeFolder, transcripts]) => {
    const because = [join(project, `.${name}`), homeFolder].find((folder) => existsSync(folder));
    return because === undefined ? [] : [{ name, title, because, ...(transcripts && { transcripts }) }];
  });
}

function transcriptsIn(folder: string, name: RegExp, ofProject = false): Transcripts | undefined {
  try {
    const sessions = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      name.test(file),
    ).length;
    return sessions === 0 ? undefined : { folder, sessions, ofProject };
  } catch {
    return undefined; // there is none, or this user may not read it
  }
}

interface Manifest {
  readonly [list: string]: unknown;
}

function readManifest(project: string): Manifest | 'broken' | undefined {
  const path = join(project, 'package.json');
  if (!existsSync(path)) return undefined;
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
    return isObject(manifest) ? manifest : 'broken';
  } catch {
    return 'broken';
  }
}

function packagesOf(manifest: Manifest): ReadonlyMap<string, string> {
  const lists = ['peerDependencies', 'optionalDependencies', 'devDependencies', 'dependencies'].map(
    (name) => manifest[name],
  );
  const entries = lists.flatMap((list) => (isObject(list) ? Object.entries(list) : []));
  return new Map(entries.map(([name, range]) => [name, String(range)]));
}

function findSdks(project: string, packages: ReadonlyMap<string, string>): Found['sdks'] {
  const found = SDKS.flatMap((sdk) => {
    const name = sdk.packages.find((each) => packages.has(each));
    if (name === undefined) return [];
    const version = installedVersion(project, name) ?? packages.get(name) ?? '';
    const major = Number(/\d+/.exec(version)?.[0] ?? Number.POSITIVE_INFINITY);
    return major >= (sdk.fromMajor ?? 0) ? [{ sdk, name, version }] : [];
  });
  // Of several rows for one package, the first is for the newest version.
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
}

function installedVersion(project: string, name: string): string | undefined {
  const manifest = readManifest(join(project, 'node_modules', name));
  return typeof manifest === 'object' && typeof manifest.version === 'string' ? manifest.version : undefined;
}
