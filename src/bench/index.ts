/** `rsi-loop/bench`: benchmarks, and comparisons of two versions of an agent that stay valid however often you look. */

export type { BenchRun, BenchRuns, ProblemResult } from '../contract/bench-run.js';
export { FileRuns } from '../node/file-runs.js';
export type { SandboxOptions } from '../node/sandbox/options.js';
export { type Enforced, runSandboxed, type SandboxResult } from '../node/sandbox/sandbox.js';
export { type Baseline, type BaselineOptions, describeBaseline, type ProblemScores } from './baseline.js';
export { type BenchOptions, bench } from './bench.js';
export { type BenchEnd, BenchHistory, type BenchRecord, type BenchStart } from './bench-history.js';
export { contains, exact, jsonSchema, regex } from './checks.js';
export { codeTests } from './code-tests.js';
export { type CompareOptions, compare, race } from './compare.js';
export { compareRecorded, type RecordedOptions } from './compare-recorded.js';
export type { Comparison, Conclusion } from './comparison.js';
export { describeComparison } from './describe-comparison.js';
export { expectBetter } from './expect-better.js';
export type { FromPatternOptions } from './from-pattern.js';
export type { GuardName, GuardRatios } from './guards.js';
export { type JudgeOptions, judge } from './judge.js';
export { type Gain, PairedBet, type PairedEvidence } from './paired-bet.js';
export type { CheckSpec, CodeTest, CodeTestsCheck, Half, NoisyScore, Problem, Score } from './problem.js';
export type { CodePatch, Variant } from './problem-runner.js';
export type { Regression } from './regressions.js';
export { baselineId, comparisonId } from './run-id.js';
export { shippedProblems } from './shipped-problems.js';
export { type Measured, type RunContext, Suite, type SuiteOptions } from './suite.js';
