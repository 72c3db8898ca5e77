/**
 * Test runner for Stryker that loads the tests once and keeps them in its process, so that a mutant costs the time of
 * its tests alone. Runs the fast tests of one module, those that cost least first, and stops at the first failure.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { type File, startTests, type TaskResult, type Test, type VitestRunner } from '@vitest/runner';
import { getTests } from '@vitest/runner/utils';
import { createServer, createServerModuleRunner, type ViteDevServer } from 'vite';

/** Modules that are wired together by the loop alone, with the folders of tests that use them through it. */
const STORIES: Readonly<Record<string, readonly string[]>> = { engine: ['host'] };
/** Runs of all tests before the first mutant. A test whose result depends on an earlier run cannot judge mutants. */
const DRY_RUNS = 2;
/** Tests that take longer judge no mutant: a mutant that only they notice counts as one that survived. */
const SLOWEST_MS = 500;
/** File in the sandbox in which the process of the dry run leaves the durations of tests for the other ones. */
const DURATIONS = 'test-durations.json';

/** State that the changed code shares with its runner. */
const shared: { [Name in keyof InstrumenterContext]: InstrumenterContext[Name] | undefined } = {};
Reflect.set(globalThis, INSTRUMENTER_CONSTANTS.NAMESPACE, shared);
/** Name under which Vitest looks for its worker. `expect.poll` reads its time limits there. */
const WORKER = '__vitest_worker__';
Reflect.set(globalThis, WORKER, { config: { expect: { poll: { timeout: 5_000, interval: 20 } } } });

class LoadedTests implements TestRunner {
  #server: ViteDevServer | undefined;
  #files: readonly File[] | undefined;
  #durationsMs: ReadonlyMap<string, number> = new Map();
  #uncaught: unknown;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    const { default: config } = await import(pathToFileURL(resolve('vitest.config.ts')).href);
    this.#server = await createServer({
      configFile: false,
      logLevel: 'error',
      resolve: config.resolve,
      server: { middlewareMode: true, watch: null, hmr: false, ws: false },
      optimizeDeps: { noDiscovery: true },
    });
    // Vite resolves no alias in an import whose name is a variable.
    const aliases: readonly { readonly find: RegExp; readonly replacement: string }[] = config.resolve.alias;
    const { ssr } = this.#server.environments;
    const fetchModule = ssr.fetchModule.bind(ssr);
    ssr.fetchModule = (id, ...about) =>
      fetchModule(aliases.find(({ find }) => find.test(id))?.replacement ?? id, ...about);
    // A rejection that no test awaits belongs to the mutant that runs.
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error) => {
        this.#uncaught ??= error;
      });
    }
  }

  async dryRun(): Promise<DryRunResult> {
    shared.activeMutant = undefined;
    const results: TestResult[] = [];
    for (let run = 0; run < DRY_RUNS; run++) results.splice(0, results.length, ...(await this.#run()));
    const tests = results.filter(({ status, timeSpentMs }) => status === TestStatus.Failed || timeSpentMs < SLOWEST_MS);
    writeFileSync(DURATIONS, JSON.stringify(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs])));
    const { mutantCoverage = { static: {}, perTest: {} } } = shared;
    for (const id of Object.keys(mutantCoverage.perTest)) {
      if (!tests.some((test) => test.id === id)) delete mutantCoverage.perTest[id];
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, mutantActivation, reloadEnvironment, hitLimit, testFilter } = options;
    if (reloadEnvironment) this.#files = undefined;
    if (this.#durationsMs.size === 0 && existsSync(DURATIONS)) {
      this.#durationsMs = new Map(JSON.parse(readFileSync(DURATIONS, 'utf8')) as [string, number][]); // written above
    }
    shared.hitCount = 0;
    shared.hitLimit = hitLimit;
    if (mutantActivation === 'static') shared.activeMutant = activeMutant.id;
    else await this.#load();
    shared.activeMutant = activeMutant.id;
    const tests = await this.#run(new Set(testFilter ?? this.#durationsMs.keys()));
    shared.activeMutant = undefined;
    // Modules that were loaded with the mutant must not meet the next one.
    if (reloadEnvironment || mutantActivation === 'static') this.#files = undefined;
    const isOver = determineHitLimitReached(shared.hitCount, hitLimit);
    return toMutantRunResult(isOver ?? { status: DryRunStatus.Complete, tests });
  }

  async dispose(): Promise<void> {
    await this.#server?.close();
  }

  /** Runs the tests with these ids until one fails; in a dry run, all of them. */
  async #run(ids?: ReadonlySet<string>): Promise<TestResult[]> {
    const isDryRun = shared.activeMutant === undefined;
    const results: TestResult[] = [];
    this.#uncaught = undefined;
    const costOf = (file: File) => getTests(file).reduce((sum, test) => sum + this.#costOf(test, ids), 0);
    const files = (await this.#load()).map((file) => ({ file, cost: costOf(file) })).sort((a, b) => a.cost - b.cost);
    let hasFailed = false;
    const runner: VitestRunner = {
      ...BASE,
      onCollected: (found) => {
        for (const { file } of files) {
          reset(file, ids);
          if (file.mode === 'run') found.push(file);
        }
      },
      onBeforeRunTask: (test) => {
        if (hasFailed && !isDryRun) test.mode = 'skip';
        shared.currentTestId = isDryRun ? idOf(test) : undefined;
      },
      onAfterRunTask: (test) => {
        shared.currentTestId = undefined;
        if (!test.result || test.mode !== 'run') return;
        const result = resultOf(test, this.#uncaught);
        this.#uncaught = undefined;
        hasFailed ||= result.status === TestStatus.Failed;
        results.push(result);
      },
    };
    await startTests([], runner);
    const broken = files.find(({ file }) => file.result?.state === 'fail')?.file;
    if (broken && !hasFailed) results.push(failureOf(broken));
    // Work that a test left behind ends while its mutant is still active. A time-out ends the signal of a test for good.
    await new Promise((resume) => setImmediate(resume));
    if (results.some((result) => result.status === TestStatus.Failed && /timed out/i.test(result.failureMessage))) {
      this.#files = undefined;
    }
    return results;
  }

  #costOf(test: Test, ids: ReadonlySet<string> | undefined): number {
    const id = idOf(test);
    return ids && !ids.has(id) ? 0 : (this.#durationsMs.get(id) ?? 0);
  }

  /** Returns the loaded tests. Evaluates all modules again if that is due. */
  async #load(): Promise<readonly File[]> {
    if (this.#files) return this.#files;
    if (!this.#server) throw new Error('the test runner was not started');
    const modules = createServerModuleRunner(this.#server.environments.ssr, { hmr: false });
    let files: readonly File[] = [];
    const runner: VitestRunner = {
      ...BASE,
      importFile: (path) => modules.import(path),
      onCollected: (found) => {
        files = found.splice(0, found.length);
      },
    };
    await modules.import(resolve('test/fixed-seed.ts'));
    await startTests(testFiles(), runner);
    this.#files = files;
    return files;
  }
}

const BASE: VitestRunner = {
  config: {
    ...{ root: process.cwd(), setupFiles: [], name: '', passWithNoTests: true, testNamePattern: undefined },
    ...{ allowOnly: true, sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' }, chaiConfig: undefined },
    ...{ maxConcurrency: 1, testTimeout: 30_000, hookTimeout: 30_000, retry: 0, includeTaskLocation: false },
    ...{ tags: [], tagsFilter: undefined, strictTags: false },
  },
  importFile: () => {
    throw new Error('loaded before');
  },
};

function testFiles(): string[] {
  const { MUTATED_MODULE: module = '' } = process.env;
  const folders = [module, ...(STORIES[module] ?? [])].map((folder) => resolve('test', folder));
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.slow.test.ts'))
      .sort()
      .map((name) => resolve(folder, name)),
  );
}

/** Prepares the tests with these ids to run once more, and leaves out the others. */
function reset(file: File, ids: ReadonlySet<string> | undefined): void {
  if (file.tasks.length === 0) return; // did not load: its failure stays
  let isWanted = false;
  for (const test of getTests(file) as Test[]) {
    test.mode = ids && !ids.has(idOf(test)) ? 'skip' : 'run';
    clear(test);
    if (test.mode === 'skip') continue;
    isWanted = true;
    for (let suite = test.suite; suite; suite = suite.suite) {
      suite.mode = 'run';
      clear(suite);
    }
  }
  clear(file);
  file.mode = isWanted ? 'run' : 'skip';
}

function clear(task: { result?: TaskResult | undefined }): void {
  task.result = undefined;
}

function idOf(test: Pick<Test, 'file' | 'fullTestName'>): string {
  return `${test.file.name}#${test.fullTestName}`;
}

function resultOf(test: Test, uncaught: unknown): TestResult {
  const id = idOf(test);
  const base = { id, name: test.fullTestName, timeSpentMs: test.result?.duration ?? 0, fileName: test.file.filepath };
  const { state, errors } = test.result ?? {};
  if (state === 'skip') return { ...base, status: TestStatus.Skipped };
  if (state === 'pass' && uncaught === undefined) return { ...base, status: TestStatus.Success };
  return { ...base, status: TestStatus.Failed, failureMessage: errors?.[0]?.message ?? String(uncaught) };
}

/** Returns the failure of a file that did not load, or whose hooks failed. */
function failureOf({ filepath, result }: File): TestResult {
  const failureMessage = result?.errors?.[0]?.message ?? 'did not load';
  return { id: filepath, name: filepath, timeSpentMs: 0, status: TestStatus.Failed, failureMessage };
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'loaded-tests', LoadedTests)];
