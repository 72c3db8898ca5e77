import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { describe, expect, it } from 'vitest';
import { isTracked } from '../../../integrations/cli/store/git-index.js';
import { hideFromGit, mustBeOwnData } from '../../../integrations/cli/store/own-data.js';
import { testFolder } from '../../node/folder.js';

const hasGit = (() => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

function put(folder: string, ...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '{}');
  }
}

/** A repository in which the given files are tracked. */
function repository(tracked: readonly string[], init: readonly string[] = [], config: readonly string[] = []): string {
  const folder = testFolder();
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...config.flatMap((each) => ['-c', each]), ...args], { cwd: folder, stdio: 'pipe' });
  git('init', '-q', ...init);
  put(folder, ...tracked);
  git('add', '--force', '.');
  return folder;
}

const OTHERS = Array.from({ length: 300 }, (_, number) => `src/part-${number}/index-of-${number}.ts`);

describe.runIf(hasGit)('data that git tracks', () => {
  it.each([
    ['index version 2', [], ['index.version=2']],
    ['index version 4, which shortens names', [], ['index.version=4']],
    ['a split index', [], ['core.splitIndex=true']],
    ['object ids of SHA-256', ['--object-format=sha256'], []],
  ])('is known by %s', (_, init, config) => {
    const with_ = repository([...OTHERS, 'rsi_data/ledger/1.json', 'a'.repeat(200)], init, config);
    const without = repository([...OTHERS, 'rsi_data2/ledger/1.json', 'src/rsi_data/1.json'], init, config);
    put(without, 'rsi_data/store.json');
    for (const name of ['rsi_data', 'RSI_data', 'rsi_data/ledger']) expect(isTracked(join(with_, name))).toBe(true);
    expect(isTracked(join(with_, 'other'))).toBe(false);
    expect(isTracked(join(without, 'rsi_data'))).toBe(false);
    expect(() => mustBeOwnData(join(with_, 'rsi_data'))).toThrow(/^git tracks .*rsi_data, .* another person's: run/);
    mustBeOwnData(join(without, 'rsi_data'));
  });

  it('is known in a worktree of another folder', () => {
    const folder = repository([...OTHERS, 'rsi_data/store.json']);
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'all');
    const other = join(testFolder(), 'tree');
    git('worktree', 'add', '-q', other);
    expect(isTracked(join(other, 'rsi_data'))).toBe(true);
  });

  it('cannot come about by "git add ." once the folder hides itself', () => {
    const folder = repository(['readme.md']);
    put(folder, 'rsi_data/store.json');
    hideFromGit(join(folder, 'rsi_data'));
    execFileSync('git', ['add', '.'], { cwd: folder });
    expect(isTracked(join(folder, 'rsi_data'))).toBe(false);
  });
});

describe('a folder with links', () => {
  it('is refused wherever the link lies', async () => {
    const outside = testFolder();
    for (const link of ['', 'journal', 'ledger', 'hooks/inbox/rejected', 'writers', 'store.json']) {
      const folder = join(testFolder(), 'rsi_data');
      if (link !== '') {
        const loop = new RSILoop({ store: new FileStore(folder) });
        await loop.close();
        mustBeOwnData(folder);
        for (const name of readdirSync(folder)) if (name === link.split('/')[0]) continue;
      }
      mkdirSync(dirname(join(folder, link)), { recursive: true });
      const path = join(folder, link);
      try {
        symlinkSync(outside, path);
      } catch {
        execFileSync('mv', [path, `${path}.old`]);
        symlinkSync(outside, path);
      }
      expect(() => mustBeOwnData(folder), link).toThrow(/is a link/);
    }
    expect(readdirSync(outside)).toEqual([]);
  });

  it('is not refused for a link above it, which the user named', () => {
    const [real, other] = [testFolder(), testFolder()];
    put(real, 'rsi_data/store.json');
    symlinkSync(real, join(other, 'here'));
    mustBeOwnData(join(other, 'here', 'rsi_data'));
  });

  it('hides nothing of a .gitignore that is there', () => {
    const folder = testFolder();
    writeFileSync(join(folder, '.gitignore'), 'mine');
    hideFromGit(folder);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('mine');
  });
});
