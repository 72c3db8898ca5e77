import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { InstructionFiles } from '../../../integrations/cli/worse/instruction-files.js';
import { factsOf } from '../../../integrations/cli/worse/read-facts.js';
import { compareVersions } from '../../../integrations/reports/worse/culprit.js';
import { findWorse } from '../../../integrations/reports/worse/find-worse.js';
import { RankDetector } from '../../../integrations/reports/worse/rank-detector.js';
import { worseWords } from '../../../integrations/reports/worse/worse-words.js';
import { seededRandom } from '../../../src/lib/random.js';
import { testFolder } from '../../node/folder.js';
import { personalYear } from './worse-worlds.js';

const SESSIONS = resolve(import.meta.dirname, '../../../../shared/data/sessions');

describe('whether a coding agent got worse', () => {
  it('names the version with which edits began to fail, and when', () => {
    const sessions = personalYear(3, 400, { signal: 'edits', from: 300, rate: 0.09, by: 'client' });
    const [first, ...others] = findWorse(sessions).worsenings;
    expect(others).toEqual([]);
    expect(first).toMatchObject({ signal: 'edits', culprits: [{ kind: 'client' }] });
    expect(Number(first?.culprits[0]?.value.split('.')[2])).toBeGreaterThanOrEqual(19);
    expect(Number(first?.culprits[0]?.value.split('.')[2])).toBeLessThanOrEqual(21);
    const noticed = sessions.findIndex(({ atMs }) => atMs === first?.noticedMs);
    expect(noticed).toBeGreaterThanOrEqual(300);
    expect(noticed).toBeLessThan(360);
    expect(first && worseWords(first)).toMatch(
      /^edits that fail [12](?:\.\d)? → \d+(?:\.\d)? % since client 2\.1\.(?:19|20|21)$/,
    );
  });

  it('blames no version whose sessions made no such call', () => {
    const sessions = personalYear(3, 120).map((one, index) => ({
      ...one,
      client: index < 70 ? '2.1.1' : index === 70 ? '2.1.2' : '2.1.3',
      counts: {
        ...one.counts,
        edits: index === 70 ? { failures: 0, of: 0 } : { failures: index < 70 ? index % 2 : 8, of: 20 },
      },
    }));
    expect(findWorse(sessions).worsenings[0]?.culprits).toEqual([{ kind: 'client', value: '2.1.3' }]);
  });

  it('names a model or a repository that brings the failures', () => {
    const model = personalYear(5, 450, { signal: 'commands', from: 300, rate: 0.3, by: 'model' });
    expect(findWorse(model).worsenings[0]?.culprits).toContainEqual({ kind: 'model', value: 'model-c' });
    const repository = personalYear(5, 450, { signal: 'tools', from: 300, rate: 0.25, by: 'repository' });
    expect(findWorse(repository).worsenings[0]?.culprits).toEqual([{ kind: 'repository', value: 'new-app' }]);
  });

  it('compares the versions of an agent with each other, and not with those of another agent', () => {
    const sessions = personalYear(3, 400, { signal: 'edits', from: 300, rate: 0.12, by: 'client' });
    const codex = personalYear(9, 400).map((one) => ({
      ...one,
      id: `codex ${one.id}`,
      agent: 'codex',
      client: '9.0.0',
    }));
    const first = findWorse([...sessions, ...codex]).worsenings[0];
    expect(first?.culprits[0]?.value).toMatch(/^claude-code 2\.1\.(?:19|20|21)$/);
  });

  it('names the change of a file that instructs the agent, if the sessions of its repository fail more since', () => {
    const folder = testFolder();
    const commit = (text: string, date: string) => {
      mkdirSync(join(folder, '.claude'), { recursive: true });
      writeFileSync(join(folder, 'CLAUDE.md'), text);
      writeFileSync(join(folder, 'main.ts'), text);
      const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder, env });
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', text);
      return git('rev-parse', '--short', 'HEAD').toString().trim();
    };
    const first = commit('one', '2026-01-01T00:00:00Z');
    const second = commit('two', '2026-02-20T00:00:00Z');
    const files = new InstructionFiles();
    const changedMs = Date.UTC(2026, 1, 20);
    expect(files.at(folder, changedMs - 1)).toEqual({ 'CLAUDE.md': first });
    expect(files.at(folder, changedMs)).toEqual({ 'CLAUDE.md': second });
    expect(files.at(join(folder, 'missing'), changedMs)).toEqual({});
    const lines = [
      {
        type: 'user',
        cwd: folder,
        sessionId: 's',
        timestamp: '2026-02-20T00:00:00Z',
        message: { role: 'user', content: 'go' },
      },
    ];
    expect(factsOf(lines.map((line) => JSON.stringify(line)).join('\n'), 's.jsonl', files)).toMatchObject([
      { instructions: { 'CLAUDE.md': second } },
    ]);
    const planted = personalYear(5, 450, { signal: 'tools', from: 300, rate: 0.25, by: 'repository' });
    const sessions = planted.map((one, index) => {
      const isHere = one.repository === 'new-app' || (one.repository === 'app-0' && index < 300);
      if (!isHere) return { ...one, repository: 'app-1' };
      return { ...one, repository: 'web', instructions: { 'CLAUDE.md': index < 300 ? first : second } };
    });
    const [worsening] = findWorse(sessions).worsenings;
    expect(worsening && worseWords(worsening)).toContain(`since a change of CLAUDE.md in web (${second})`);
  });

  it('tells the same in any order of reading, and with every later look', () => {
    const sessions = personalYear(3, 400, { signal: 'edits', from: 300, rate: 0.09, by: 'client' });
    const whole = findWorse(sessions).worsenings[0];
    expect(findWorse([...sessions].reverse()).worsenings[0]).toEqual(whole);
    const upTo = sessions.findIndex(({ atMs }) => atMs === whole?.noticedMs);
    expect(findWorse(sessions.slice(0, upTo)).worsenings).toEqual([]);
    expect(findWorse(sessions.slice(0, upTo + 1)).worsenings[0]?.noticedMs).toBe(whole?.noticedMs);
  });

  it('expects at most one false alarm in a year', () => {
    const years = Array.from({ length: 8 }, (_, seed) => personalYear(100 + seed, 1_560));
    const alarms = years.reduce((sum, sessions) => sum + findWorse(sessions).worsenings.length, 0);
    expect(alarms / years.length).toBeLessThanOrEqual(1);
  });

  it('raises its sum by one a session on average, also if most sessions are alike', () => {
    const random = seededRandom(7);
    let total = 0;
    const [lives, sessions] = [4_000, 12];
    for (let life = 0; life < lives; life++) {
      const detector = new RankDetector();
      for (let session = 0; session < sessions; session++) detector.add(random() < 0.8 ? 0 : random(), random());
      total += detector.value;
    }
    expect(total / lives / sessions).toBeGreaterThan(0.8);
    expect(total / lives / sessions).toBeLessThan(1.2);
  });

  it('orders versions by their numbers', () => {
    expect(['2.1.36', '2.1.4', '2.0.76', '2.1'].sort(compareVersions)).toEqual(['2.0.76', '2.1', '2.1.4', '2.1.36']);
  });

  it.skipIf(!existsSync(SESSIONS))('reads real transcripts, and tells no change that is none', () => {
    const facts = readdirSync(SESSIONS)
      .filter((name) => name.endsWith('.gz'))
      .flatMap((name) => factsOf(gunzipSync(readFileSync(`${SESSIONS}/${name}`)).toString('utf8'), name));
    expect(facts.length).toBeGreaterThan(40);
    expect(facts.every(({ client, model, repository }) => client && model && repository)).toBe(true);
    expect(findWorse(facts).worsenings).toEqual([]);
  });
});
