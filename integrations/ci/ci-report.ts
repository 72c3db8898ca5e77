import type { Issue, Rate } from 'rsi-loop';
import type { Compared } from './comparison.js';
import type { TestClass } from './judge-test.js';
import type { RunInfo } from './run-info.js';

/** Test that a person may want to look at. All texts are redacted. */
export interface Finding {
  readonly class: TestClass;
  readonly suite: string;
  readonly name: string;
  /** Stable id, the same on every machine. */
  readonly id: string;
  readonly file?: string;
  readonly line?: number;
  readonly message?: string;
  /** Stack trace or longer report. */
  readonly details?: string;
  readonly durationMs?: number;
  /** Runs in a row that failed, with this one; of a fixed test those before it. */
  readonly streak: number;
  /** When the row of failures began, and at which commit; absent if it begins now. */
  readonly sinceMs?: number;
  readonly sinceCommit?: string;
  /** Whether the test fails on the base branch too; absent if it is unknown or this is the base branch. */
  readonly failsOnBase?: boolean;
  /** Attempts of this test in the store and now, and how many failed. */
  readonly attempts: { readonly failed: number; readonly of: number };
  /** Share of failed attempts of a flaky test with its 95 % interval; absent below ten attempts. */
  readonly rate?: Rate;
  /** Id of the pattern; only of failing tests. */
  readonly pattern?: string;
}

/** Failing tests with one cause. */
export interface CausePattern {
  readonly id: string;
  readonly issue: Issue;
  readonly template: string;
  readonly count: number;
  /** Innermost place in the project that all of them share. */
  readonly at?: string;
}

export interface ReadReport {
  readonly path: string;
  readonly format: string;
  readonly tests: number;
  /** Results that were not in the store before. */
  readonly recorded: number;
}

/** Report that could not be read, as a whole or from a line on. */
export interface UnreadReport {
  readonly path: string;
  readonly line?: number;
  readonly problem: string;
}

export interface CiReport {
  readonly format: 'rsi-ci/1';
  readonly run: Pick<RunInfo, 'branch' | 'base' | 'commit' | 'job' | 'isChanged'>;
  readonly compared: Compared;
  readonly reports: readonly ReadReport[];
  readonly unread: readonly UnreadReport[];
  readonly counts: Readonly<Record<'tests' | 'passed' | 'failed' | 'skipped' | TestClass, number>>;
  /** The most pressing first. */
  readonly findings: readonly Finding[];
  /** Findings beyond those listed. */
  readonly more: number;
  /** Largest first. */
  readonly patterns: readonly CausePattern[];
  /** Classes that make the run fail. */
  readonly failOn: readonly TestClass[];
  readonly failed: boolean;
}
