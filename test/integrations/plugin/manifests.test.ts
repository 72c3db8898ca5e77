import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOOK_FORMATS } from '../../../integrations/sources/agents/formats.js';
import manifest from '../../../package.json' with { type: 'json' };

const PLUGIN = resolve(import.meta.dirname, '../../../integrations/plugin');
const read = (path: string) => JSON.parse(readFileSync(join(PLUGIN, path), 'utf8'));

/** Agents, the variable with the folder of a plugin, and the files that their manifests lead to. */
const AGENTS = [
  { agent: 'claude', root: 'CLAUDE_PLUGIN_ROOT', hooks: 'hooks/hooks.json', servers: '.mcp.json' },
  { agent: 'codex', root: 'PLUGIN_ROOT', hooks: 'hooks/codex.json', servers: 'codex.mcp.json' },
  { agent: 'cursor', root: 'CURSOR_PLUGIN_ROOT', hooks: 'hooks/cursor.json', servers: 'cursor.mcp.json' },
];

describe('the plugin', () => {
  it.for(AGENTS)('has the version and the licence of the package: $agent', ({ agent }) => {
    const { name, version, license, description } = read(`.${agent}-plugin/plugin.json`);
    expect({ name, version, license }).toEqual({
      name: manifest.name,
      version: manifest.version,
      license: manifest.license,
    });
    expect(description.length).toBeLessThan(160);
  });

  // Claude Code finds hooks/hooks.json and .mcp.json: named in the manifest as well, hooks run twice.
  it('names neither hooks nor servers that Claude Code finds automatically', () => {
    expect(Object.keys(read('.claude-plugin/plugin.json'))).not.toContain('hooks');
    expect(Object.keys(read('.claude-plugin/plugin.json'))).not.toContain('mcpServers');
  });

  // Both would read the hooks of Claude Code, if they were not given their own.
  it.for(AGENTS.slice(1))('names files that are there: $agent', ({ agent, hooks, servers }) => {
    const named = read(`.${agent}-plugin/plugin.json`);
    expect(named).toMatchObject({ hooks: `./${hooks}`, mcpServers: `./${servers}`, skills: './skills/' });
  });

  it.for(AGENTS)('calls the installed command, and no package runner: $agent', ({ agent, root, hooks, servers }) => {
    const commands = JSON.stringify(read(hooks)).match(/node \\"[^}]*\}\/run\.mjs\\" hook \w+/g) ?? [];
    expect(new Set(commands)).toEqual(new Set([`node \\"\${${root}}/run.mjs\\" hook ${agent}`]));
    expect(commands).toHaveLength(Object.keys(read(hooks).hooks).length);
    expect(Object.keys(HOOK_FORMATS)).toContain(agent);
    expect(JSON.stringify(read(servers))).toMatch(/run\.mjs","mcp"/);
    expect(existsSync(join(PLUGIN, 'run.mjs'))).toBe(true);
  });

  it('has one skill, in the form of Agent Skills', () => {
    expect(readdirSync(join(PLUGIN, 'skills'))).toEqual(['rsi']);
    const text = readFileSync(join(PLUGIN, 'skills/rsi/SKILL.md'), 'utf8');
    const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    expect(front).toMatch(/^name: rsi$/m);
    expect(/^description: (.+)$/m.exec(front)?.[1]?.length).toBeLessThan(1_024);
  });

  it('is published with the package, and listed in the marketplaces of the repository', () => {
    expect(manifest.files).toContain('integrations/plugin');
    const root = join(PLUGIN, '../..');
    const sources = ['.claude-plugin/marketplace.json', '.agents/plugins/marketplace.json'].map((path) => {
      const [{ name, source }] = JSON.parse(readFileSync(join(root, path), 'utf8')).plugins;
      return [name, source.path ?? source];
    });
    expect(sources).toEqual([
      ['rsi-loop', './integrations/plugin'],
      ['rsi-loop', './integrations/plugin'],
    ]);
  });

  it('has the version and the name of the package in the registry of MCP servers', () => {
    const { name, version, packages } = JSON.parse(readFileSync(join(PLUGIN, '../mcp/server.json'), 'utf8'));
    expect({ name, version }).toEqual({ name: manifest.mcpName, version: manifest.version });
    expect(packages).toMatchObject([{ identifier: manifest.name, version: manifest.version }]);
  });
});
