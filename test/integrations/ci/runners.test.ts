import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CiReport } from '../../../integrations/ci/ci-report.js';
import { project } from './ci-run.js';

/** Reports that scripts/ci-reports.ts let the runners write. */
const REPORTS = resolve(import.meta.dirname, '../../fixtures/ci');

/** Format, and the words by which a runner names the tests. */
const RUNNERS: Readonly<Record<string, { readonly format: string; readonly tests?: number }>> = {
  vitest: { format: 'jest' },
  'vitest-junit': { format: 'junit' },
  jest: { format: 'jest' },
  'node-tap': { format: 'tap' },
  'node-junit': { format: 'junit' },
  playwright: { format: 'playwright' },
  pytest: { format: 'junit' },
  // The test with two subtests counts, as Go counts it.
  go: { format: 'go', tests: 7 },
};

function short({ findings }: CiReport): readonly string[] {
  return findings.map(({ class: found, name }) => {
    const word = /adds|broken|flaky/i.exec(name)?.[0].toLowerCase();
    return `${found} ${word ?? name}`;
  });
}

describe('the words of a failure', () => {
  it.each(['jest', 'playwright'])('have what %s expected and received', async (name) => {
    const ci = project();
    const { findings } = await ci.read([join(REPORTS, name, 'first.json')]);
    expect(findings[0]?.message).toMatch(
      /^Error: expect\(received\)\.toBe\(expected\).* Expected: "whole" Received: "b\|oken"$/,
    );
  });
});

describe.each(Object.entries(RUNNERS))('reports of %s', (name, { format, tests = 6 }) => {
  const fileOf = (run: string) => {
    const file = readdirSync(join(REPORTS, name)).find((each) => each.startsWith(`${run}.`));
    return join(REPORTS, name, file ?? run);
  };

  it('says which test is broken, which is flaky, what is fixed and what is new', async () => {
    const ci = project();
    const first = await ci.read([fileOf('first')], { commit: 'c1' });
    expect(first.reports).toMatchObject([{ format, tests, recorded: tests - 1 }]);
    expect(first.counts).toMatchObject({ tests, passed: tests - 3, failed: 2, skipped: 1 });
    expect(short(first)).toEqual(['new broken', 'new flaky']);
    expect(short(await ci.read([fileOf('second')], { commit: 'c1' }))).toEqual(['broken broken', 'flaky flaky']);
    const third = await ci.read([fileOf('third')], { commit: 'c2' });
    expect(short(third)).toEqual(['new adds', 'fixed broken']);
    expect([first.failed, third.failed]).toEqual([true, true]);
    expect(first.unread).toEqual([]);
  });

  it('sees that a test failed and passed within one report', async () => {
    if (!existsSync(join(REPORTS, name)) || fileOf('retried').endsWith('retried')) return;
    const report = await project().read([fileOf('retried')]);
    expect(short(report)).toEqual(['new broken', 'flaky flaky']);
    expect(report.findings.find((finding) => finding.class === 'flaky')?.message).toMatch('ECONNREFUSED');
  });

  it('keeps the words of the failure', async () => {
    const { findings } = await project().read([fileOf('first')]);
    expect(findings.map(({ message = '', details = '' }) => `${message}\n${details}`)).toEqual([
      expect.stringContaining('b|oken'),
      expect.stringContaining('ECONNREFUSED 127.0.0.1:5432'),
    ]);
  });
});
