import { matchesPattern } from './path-pattern.js';

/** Files that decide whether a change is good, and files that run outside of the sandbox. */
const PROTECTED: readonly string[] = [
  // Tests, and what they read.
  ...['**/{test,tests,spec,specs,e2e,__tests__,__mocks__,__snapshots__,__fixtures__,fixtures,testdata}/**'],
  ...['**/*.{test,spec,e2e}.*', '**/*_test.*', '**/test_*', '**/test.*', '**/tests.*', '**/conftest.py', '**/*.snap'],
  // Problems and the evaluator.
  ...['**/{bench,benches,benchmark,benchmarks,eval,evals,problems}/**', '**/*.{bench,eval}.*', '**/rsi.*'],
  // Packages, scripts, and settings of tools.
  ...['**/package.json', '**/*-lock.{json,yaml,yml}', '**/*.{lock,lockb}', '**/npm-shrinkwrap.json', '**/go.{mod,sum}'],
  ...['**/{node_modules,vendor}/**', '**/*.config.*', '**/{tsconfig,jsconfig}*.json', '**/{biome,deno}.json*'],
  ...['**/pnpm-workspace.yaml', '**/{pyproject,Cargo}.toml', '**/requirements*.txt', '**/setup.{py,cfg}', '**/tox.ini'],
  // CI and builds. Names that begin with a dot are protected too: .git, .github, .npmrc, .gitattributes, .env …
  ...[
    '**/{Jenkinsfile,Makefile,Dockerfile,justfile,CODEOWNERS}*',
    '**/{action,azure-pipelines,bitbucket-pipelines}.y*ml',
  ],
];

/** Folders that hold problems and their expected answers by default. They are never part of the worktree. */
export const HIDDEN: readonly string[] = ['**/{bench,benches,benchmark,benchmarks,eval,evals,problems}/**'];

/** Set of paths, given by patterns. Upper and lower case are the same, as on some file systems. */
export class PathSet {
  readonly #patterns: readonly string[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.flatMap(alternatives).map((pattern) => pattern.toLowerCase());
  }

  has(path: string): boolean {
    const lower = path.toLowerCase();
    return this.#patterns.some((pattern) => matchesPattern(pattern, lower));
  }
}

/** Returns the paths that no change may touch: the default ones, and more. */
export function protectedPaths(more: readonly string[] = []): { has(path: string): boolean } {
  const set = new PathSet([...PROTECTED, ...more]);
  return { has: (path) => /(?:^|\/)\./.test(path) || set.has(path) };
}

/** Returns a pattern for each choice in `{a,b}`. */
function alternatives(pattern: string): readonly string[] {
  const found = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(pattern);
  if (!found) return [pattern];
  const [, before = '', choices = '', after = ''] = found;
  return choices.split(',').flatMap((choice) => alternatives(`${before}${choice}${after}`));
}
