import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAll } from '../../integrations/cli/analyze/read-all.js';
import { render } from '../../integrations/cli/analyze/render-analysis.js';
import { makeReport } from '../../integrations/cli/analyze/report.js';
import { Survey } from '../../integrations/cli/analyze/survey.js';
import { manual, REPOSITORY, SHIPPED_PAGES } from '../../scripts/manual.js';
import { deadLinksIn, readFrontDoor } from '../../scripts/numbers/front-door.js';
import { ROOT, readPage } from './code-blocks.js';

const readme = readPage('README.md');

describe('the README', () => {
  it('begins with a command', () => {
    expect(readme.indexOf('npx rsi-loop analyze')).toBeLessThan(readme.split('\n').slice(0, 25).join('\n').length);
  });

  it('shows what analyze prints', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-readme-'));
    try {
      writeFileSync(join(folder, 'log.jsonl'), sampleLog());
      const nowMs = Date.UTC(2026, 10, 1);
      const survey = new Survey({ nowMs });
      const report = makeReport(survey, await readAll([folder], survey, nowMs), { limit: 5, sinceMs: undefined });
      const printed = render(report, { width: 80, paint: (_, text) => text, next: (words) => words }).split('\n');
      const shown = /what analyze prints; the tests compare it -->\n\n?```text\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
      expect(shown.trimEnd().split('\n').length).toBeGreaterThan(8);
      expect(
        shown
          .trimEnd()
          .split('\n')
          .filter((line) => !printed.includes(line)),
      ).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('what a newcomer reads first', () => {
  it('is short, explains its terms, fits a terminal, and leads nowhere that is not there', async () => {
    const { readmeLines, verbsInHelp, ...faults } = await readFrontDoor();
    expect(readmeLines).toBeLessThanOrEqual(110);
    expect(verbsInHelp).toBe(12);
    expect(faults).toEqual({ terms: [], deadLinks: [], wideLines: [], deadHints: [] });
  });

  it('is measured: a dead link counts, in the package and in the repository', () => {
    const text = `[a](docs/guides/teams.md) [b](docs/verify.md) [c](${REPOSITORY}docs/verify.md#x) [d](${REPOSITORY}docs/none.md) [e](#here)`;
    expect(deadLinksIn('README.md', text)).toEqual(['docs/verify.md', `${REPOSITORY}docs/none.md`]);
  });
});

describe('pages that travel with the package', () => {
  it('stay within 150 kB with the manual, whose links are addresses', () => {
    const text = manual();
    const guides = SHIPPED_PAGES.slice(1).map((page) => Buffer.byteLength(readPage(page)));
    expect(Buffer.byteLength(text) + guides.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(150_000);
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !/^(?:https?:|mailto:|#)/.test(link))).toEqual([]);
    const files = links.filter((link) => link.startsWith(REPOSITORY)).map((link) => link.slice(REPOSITORY.length));
    expect(files.filter((file) => !existsSync(join(ROOT, file.split('#')[0] ?? '')))).toEqual([]);
  });
});

/** Ten days of a coding agent, invented. */
function sampleLog(): string {
  const startMs = Date.UTC(2026, 9, 1, 12);
  const rows = [
    ...Array.from({ length: 240 }, (_, index) => ({
      task: 'Edit',
      session: `s-${index % 30}`,
      ts: startMs + index * 3_600_000,
      ...(index % 27 === 0 && { error: 'File has not been read yet. Read it first before writing to it.' }),
    })),
    ...Array.from({ length: 400 }, (_, index) => ({
      task: 'Bash',
      session: `s-${index % 30}`,
      ts: startMs + index * 2_000_000,
      ...(index % 29 === 3 && { error: 'Exit code 127: jq: command not found' }),
    })),
  ];
  return rows.map((row) => JSON.stringify({ success: !('error' in row), ...row })).join('\n');
}
