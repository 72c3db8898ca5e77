import { LoopError } from 'rsi-loop';
import type { SandboxOptions } from 'rsi-loop/bench';
import { mustBe } from 'rsi-loop/kit';
import { HIDDEN, PathSet, protectedPaths } from './protected-paths.js';

/** Limits of a command. */
export type CommandLimits = Pick<SandboxOptions, 'timeoutMs' | 'memoryMb' | 'maxProcesses' | 'diskMb'>;

/** Command: a program, and its arguments. No shell reads it. */
export type Command = readonly string[];

/** Limits of what a change of code may touch. */
export interface CodeRules {
  /** Files that a change may write, as patterns such as `src/**`. */
  readonly allow: readonly string[];
  /** Files that no change may write, in addition to tests, problems, packages, settings, CI and names with a dot. */
  readonly protect?: readonly string[];
  /**
   * Files that are not part of the worktree: problems, and everything else with expected answers. Default: folders named
   * bench, benchmarks, evals, problems and the like.
   */
  readonly hide?: readonly string[];
  /** Tests of the agent, such as `['node', '--test']`. They must pass on the branch as it is. */
  readonly test: Command;
  /**
   * Accepts a branch whose tests fail as it is, such as one with a test for a known bug. A version must still pass all of
   * them, and more than the branch does. Default false.
   */
  readonly allowFailing?: boolean;
  /** Check before the tests, such as `['tsc', '--noEmit']`. */
  readonly check?: Command;
  /** Limit on removed and added lines together. A line counts once per 120 characters. Default 300. */
  readonly maxLines?: number;
  /** Limit on changed files. Default 20. */
  readonly maxFiles?: number;
  /** Limits of `check` and `test`. Default: 5 minutes, 2,048 MB of memory, 256 processes, 512 MB of files. */
  readonly limits?: CommandLimits;
  /**
   * Runs commands without isolation where the platform has none. Tests and files are hashed before and after each command,
   * and nothing else holds a change back. Default false.
   */
  readonly unsafe?: boolean;
}

export interface ReadRules {
  readonly allowed: PathSet;
  readonly protected: { has(path: string): boolean };
  readonly hidden: PathSet;
  readonly test: Command;
  readonly check?: Command;
  readonly maxLines: number;
  readonly maxFiles: number;
  readonly limits: CommandLimits;
  readonly allowFailing: boolean;
  readonly unsafe: boolean;
}

const LIMITS = { timeoutMs: 300_000, memoryMb: 2_048, maxProcesses: 256, diskMb: 512 } as const;

/** @throws LoopError `invalid-input` naming the option, its value and what is possible. */
export function readRules(rules: CodeRules): ReadRules {
  const {
    allow,
    protect,
    hide,
    test,
    check,
    maxLines = 300,
    maxFiles = 20,
    limits,
    allowFailing = false,
    unsafe = false,
  } = rules;
  mustBe(isTexts(allow), 'allow', allow, "patterns of files that may change, such as ['src/**']");
  mustBe(isTexts(test), 'test', test, "a command, such as ['node', '--test']");
  mustBe(check === undefined || isTexts(check), 'check', check, "a command, such as ['tsc', '--noEmit']");
  mustBe(Number.isInteger(maxLines) && maxLines > 0, 'maxLines', maxLines, 'a whole number from 1');
  mustBe(Number.isInteger(maxFiles) && maxFiles > 0, 'maxFiles', maxFiles, 'a whole number from 1');
  for (const pattern of [...allow, ...(protect ?? []), ...(hide ?? [])]) {
    if (!/^(?:\/|\.)|\\|\/$/.test(pattern)) continue;
    throw new LoopError(
      'invalid-input',
      `the pattern ${JSON.stringify(pattern)} matches nothing: give a path relative to the repository, such as src/**`,
    );
  }
  return {
    allowed: new PathSet(allow),
    protected: protectedPaths(protect),
    hidden: new PathSet(hide ?? HIDDEN),
    test,
    ...(check && { check }),
    maxLines,
    maxFiles,
    limits: { ...LIMITS, ...limits },
    allowFailing,
    unsafe,
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string' && each !== '');
}
