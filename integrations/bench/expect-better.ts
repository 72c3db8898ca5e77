import { LoopError } from 'rsi-loop';
import { compare } from './compare.js';
import type { CompareOptions } from './compare-options.js';
import type { Comparison } from './comparison.js';
import { describeComparison } from './describe-comparison.js';
import type { Variant } from './problem-runner.js';
import type { Suite } from './suite.js';

/**
 * Compares like `compare`, for a test: resolves if the candidate is better. Ends with its test in vitest; give `signal: t.signal` in
 * `node:test`. The time limit of the test must suffice for all pairs.
 * @throws LoopError `not-accepted` with the figures if it is not shown to be better.
 */
export function expectBetter(suite: Suite, candidate: Variant, options: CompareOptions = {}): Promise<Comparison> {
  return expectKinds(['better'], suite, candidate, options);
}

/**
 * Compares for a test: resolves if a loss of `notWorseBy` points of the score is excluded, 0 to 1. For a cheaper model or a
 * shorter prompt.
 * @throws LoopError `not-accepted` with the figures if it is not shown.
 */
export function expectNotWorse(
  suite: Suite,
  candidate: Variant,
  options: CompareOptions & { readonly notWorseBy: number },
): Promise<Comparison> {
  return expectKinds(['better', 'not-worse'], suite, candidate, options);
}

async function expectKinds(
  kinds: readonly Comparison['kind'][],
  suite: Suite,
  candidate: Variant,
  options: CompareOptions,
): Promise<Comparison> {
  const { signal = await testSignal(), ...others } = options;
  const comparison = await compare(suite, candidate, { ...others, ...(signal && { signal }) });
  if (kinds.includes(comparison.kind)) return comparison;
  throw new LoopError('not-accepted', describeComparison(comparison));
}

/** Returns the signal of the running test of vitest, which is aborted at its time limit. */
async function testSignal(): Promise<AbortSignal | undefined> {
  if (typeof process === 'undefined' || process.env.VITEST === undefined) return undefined;
  const { TestRunner } = await packageOf<{ readonly TestRunner?: Tests }>('vitest');
  // Before vitest 4.1, another entry point has it.
  const tests = TestRunner?.getCurrentTest ? TestRunner : await packageOf<Tests>('vitest/suite');
  const test = tests.getCurrentTest?.();
  // Of tests that run at the same time, vitest does not know which one calls.
  return test?.concurrent ? undefined : test?.context?.signal;
}

interface Tests {
  getCurrentTest?():
    | { readonly concurrent?: boolean; readonly context?: { readonly signal?: AbortSignal } }
    | undefined;
}

/** Loads a package of the test that calls this. Bundlers do not follow the name. */
async function packageOf<Exports extends object>(name: string): Promise<Exports | Record<string, never>> {
  return import(/* @vite-ignore */ name).catch(() => ({}));
}
