import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore, type Store } from 'rsi-loop';
import { onTestFinished } from 'vitest';
import type { CiReport } from '../../../integrations/ci/ci-report.js';
import type { TestClass } from '../../../integrations/ci/judge-test.js';
import { openReport } from '../../../integrations/ci/open-report.js';
import { runCi } from '../../../integrations/ci/run-ci.js';
import type { RunInfo } from '../../../integrations/ci/run-info.js';

export interface CiRunOptions extends Partial<RunInfo> {
  readonly failOn?: readonly TestClass[];
  readonly format?: string;
  /** Folder of the project. */
  readonly root?: string;
}

/** A folder of reports, and a store that sees one run after the other. */
class CiProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'rsi-ci-test-'));
  readonly store: Store;
  #nowMs = Date.UTC(2026, 0, 1);
  #files = 0;

  constructor(store: Store = new MemoryStore()) {
    this.store = store;
  }

  /** Writes texts as reports and reads them in one run, an hour after the last one. */
  run(texts: readonly string[], options: CiRunOptions = {}): Promise<CiReport> {
    const paths = texts.map((text) => {
      const path = join(this.folder, `report-${++this.#files}`);
      writeFileSync(path, text);
      return path;
    });
    return this.read(paths, options);
  }

  async read(paths: readonly string[], options: CiRunOptions = {}): Promise<CiReport> {
    const { failOn = ['new', 'returned', 'broken'], format, root = this.folder, ...stated } = options;
    const run = { branch: 'main', base: 'main', commit: 'c1', job: 'tests', runId: '', isChanged: false, ...stated };
    this.#nowMs += 3_600_000;
    const opened = await Promise.all(paths.map((path) => openReport(path, format)));
    const reports = opened.flatMap((each) => ('problem' in each ? [] : [each]));
    const unread = opened.flatMap((each) => ('problem' in each ? [each] : []));
    return runCi({ store: this.store, reports, unread, run, nowMs: this.#nowMs, folder: root, root, failOn });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns a JUnit report: `+name` passed, `-name` failed, `?name` skipped. */
export function junitOf(...results: readonly string[]): string {
  const cases = results.map((result, at) => {
    const inner = result.startsWith('-')
      ? '<failure message="boom">at x</failure>'
      : result.startsWith('?')
        ? '<skipped/>'
        : '';
    return `<testcase classname="suite" name="${result.slice(1)}" time="0.${at + 1}">${inner}</testcase>`;
  });
  return `<?xml version="1.0"?><testsuites><testsuite name="all">${cases.join('\n')}</testsuite></testsuites>`;
}

/** Returns each finding as `class name`. */
export function found(report: CiReport): readonly string[] {
  return report.findings.map((finding) => `${finding.class} ${finding.name}`);
}

/** Returns a new project, which is removed after the test. */
export function project(store?: Store): CiProject {
  const made = new CiProject(store);
  onTestFinished(() => made.remove());
  return made;
}
