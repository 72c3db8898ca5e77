import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Installation, installClaude, uninstallClaude } from '../../../integrations/cli/install/claude.js';
import { testFolder } from '../../node/folder.js';

function project(settings?: string, more: Partial<Installation> = {}) {
  const folder = testFolder();
  const about: Installation = {
    scope: 'local',
    project: folder,
    command: '/opt/rsi-loop/dist/cli.js',
    home: join(folder, 'home'),
    ...more,
  };
  const path = join(folder, '.claude', about.scope === 'local' ? 'settings.local.json' : 'settings.json');
  if (settings !== undefined) {
    mkdirSync(dirname(path));
    writeFileSync(path, settings);
  }
  const read = () => readFileSync(path, 'utf8');
  const hooks = () =>
    JSON.parse(
      read()
        .replace(/^\ufeff/, '')
        .replace(/\/\/.*|\/\*.*\*\//g, '')
        .replace(/,(\s*[\]}])/g, '$1'),
    ).hooks;
  return { folder, path, about, read, hooks };
}

const OTHERS = {
  model: 'opus',
  hooks: {
    PostToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'prettier' }] }],
    Notification: [{ hooks: [] }],
  },
  env: { API_KEY: 'kept' },
};
const LAYOUTS: Readonly<Record<string, string>> = {
  'no settings': '{}\n',
  'space in an empty object': '{ \n\n }',
  'one line': '{"model":"opus","env":{"A":"1"}}',
  'two spaces': `${JSON.stringify(OTHERS, null, 2)}\n`,
  tabs: `${JSON.stringify(OTHERS, null, '\t')}\n`,
  'line breaks of another system': JSON.stringify(OTHERS, null, 4).replaceAll('\n', '\r\n'),
  'an empty section': '{\n  "hooks": { },\n  "model": "opus"\n}\n',
  'an empty list': '{\n  "hooks": {\n    "PostToolUse": [],\n    "Stop": [ ]\n  }\n}\n',
  'comments, and a comma too many': '{\n  // mine\n  "model": "opus", /* the best */\n}\n',
  'a byte-order mark': '\ufeff{"model": "opus"}',
};

describe('rsi install claude', () => {
  it.for(Object.entries(LAYOUTS))(
    'leaves everything else as it is, and uninstall the very bytes: %s',
    async ([, text]) => {
      const { about, read, hooks } = project(text);
      const said = await installClaude(about);
      expect(said.join('\n')).toContain('node "/opt/rsi-loop/dist/cli.js" hook claude --store ');
      const installed = read();
      expect(Object.keys(hooks())).toEqual(
        expect.arrayContaining(['SessionStart', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd']),
      );
      expect(hooks().SessionStart).toEqual([
        { hooks: [{ type: 'command', command: expect.stringContaining('hook claude'), timeout: 5 }] },
      ]);
      if (text.includes('prettier')) expect(hooks().PostToolUse[0]).toEqual(OTHERS.hooks.PostToolUse[0]);
      expect(await installClaude(about)).toEqual([expect.stringContaining('nothing was changed')]);
      expect(read()).toBe(installed);
      await uninstallClaude(about);
      expect(read()).toBe(text);
      expect(await uninstallClaude(about)).toEqual([expect.stringContaining('nothing was changed; --scope names')]);
    },
  );

  it('adds the folder of the loop to .gitignore, in a folder of a repository too, and uninstall removes it', async () => {
    const { about, folder } = project();
    const inside = join(folder, 'packages/agent');
    mkdirSync(inside, { recursive: true });
    mkdirSync(join(folder, '.git'));
    for (const place of [folder, inside]) {
      const said = await installClaude({ ...about, project: place });
      expect(said).toContain('.gitignore: /rsi_data/ was added, so that no record is committed');
      expect(readFileSync(join(place, '.gitignore'), 'utf8')).toMatch(/^\/rsi_data\/$/m);
      expect(await uninstallClaude({ ...about, project: place })).toContainEqual(
        expect.stringMatching(/\.gitignore: \/rsi_data\/ was removed/),
      );
      expect(existsSync(join(place, '.gitignore'))).toBe(false);
    }
  });

  it('makes the file where there is none, and uninstall removes it', async () => {
    const { about, folder, hooks } = project();
    await installClaude(about);
    expect(Object.keys(hooks())).toHaveLength(9);
    await uninstallClaude(about);
    expect(existsSync(join(folder, '.claude'))).toBe(false);
  });

  it('takes exactly its own out of a file that was changed since', async () => {
    const { about, path, read, hooks } = project(LAYOUTS['two spaces']);
    await installClaude(about);
    writeFileSync(path, read().replace('"kept"', '"changed"'));
    await uninstallClaude(about);
    expect(read()).toBe(LAYOUTS['two spaces']?.replace('"kept"', '"changed"'));
    expect(hooks()).toEqual(OTHERS.hooks);
  });

  it('does so without what it noted at the installation, too', async () => {
    const { about, folder, read } = project(LAYOUTS.tabs);
    await installClaude(about);
    rmSync(join(folder, 'rsi_data'), { recursive: true });
    await uninstallClaude(about);
    expect(read()).toBe(LAYOUTS.tabs);
  });

  it('replaces an installation that calls another command', async () => {
    const { about, read, hooks } = project(LAYOUTS['two spaces']);
    await installClaude(about);
    await installClaude({ ...about, command: '/new/dist/cli.js' });
    expect(JSON.stringify(hooks())).not.toContain('/opt/');
    expect(hooks().Stop).toHaveLength(1);
    await uninstallClaude(about);
    expect(read()).toBe(LAYOUTS['two spaces']);
  });

  it('names no path of one machine in settings that a team shares', async () => {
    const { about, folder, read } = project(undefined, { scope: 'project' });
    const command = join(folder, 'node_modules/rsi-loop/dist/cli.js');
    await installClaude({ ...about, command });
    expect(read()).toContain(
      'node \\"$CLAUDE_PROJECT_DIR/node_modules/rsi-loop/dist/cli.js\\" hook claude --store \\"$CLAUDE_PROJECT_DIR/rsi_data\\"',
    );
    expect(read()).not.toContain(folder);
    await uninstallClaude({ ...about, command });
  });

  it('keeps the mode of the file, and writes where a link leads', async () => {
    const { about, folder, path } = project('{}', { scope: 'project' });
    const real = join(folder, 'dotfiles.json');
    writeFileSync(real, '{"model":"opus"}');
    chmodSync(real, 0o600);
    rmSync(path);
    symlinkSync(real, path);
    await installClaude(about);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o600);
    await uninstallClaude(about);
    expect(readFileSync(real, 'utf8')).toBe('{"model":"opus"}');
  });

  it.for([
    ['{"model": }', /line 1 is not valid JSON: a value is missing; nothing was written/],
    ['{\n"a": 1\n"b": 2}', /line 3 is not valid JSON: a comma is missing/],
    ['[]', /holds no object/],
    ['{"hooks": []}', /"hooks" is not an object/],
    ['{"hooks": {"Stop": {}}}', /"hooks"\."Stop" is not a list/],
    ['{"a": "\\x"}', /a text is not written as JSON/],
  ] as const)('leaves a file that it cannot read alone: %s', async ([text, message]) => {
    const { about, read } = project(text);
    await expect(installClaude(about)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(message),
    });
    expect(read()).toBe(text);
  });
});
