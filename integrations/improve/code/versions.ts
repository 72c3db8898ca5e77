import { LoopError } from 'rsi-loop';
import type { CodePatch, SandboxResult } from 'rsi-loop/bench';
import { recordedText } from 'rsi-loop/kit';
import { hashOf } from 'rsi-loop/node';
import { writeCommit, writeTree } from '../worktree/commits.js';
import { type TreeEntry, textsOf, treeOf } from '../worktree/repository.js';
import { type CommandOptions, runCommand } from '../worktree/run-command.js';
import type { Worktrees } from '../worktree/worktrees.js';
import type { CheckedVersion } from './code-change.js';
import type { Command, ReadRules } from './code-rules.js';
import { missingTest, passedTests, steadyName } from './passed-tests.js';
import { essential, patchFault } from './patch-fault.js';
import { patchSize } from './patch-size.js';
import { type Workplace, Workplaces } from './workplaces.js';

/** Version of the code that passed every check. */
export interface Ready {
  readonly id: string;
  /** Commit in the repository of the worktrees. */
  readonly commit: string;
  /** Files that differ from the base. */
  readonly code: CodePatch;
  readonly lines: number;
  readonly passed?: number;
  /** Why the tests of the branch fail as it is, if that is allowed. */
  readonly failing?: string;
  /** Names of the tests that passed, if it is the branch as it is. */
  readonly names?: readonly string[];
}

/** Result of the tests. */
type Tested = Pick<Ready, 'passed' | 'failing' | 'names'>;

export interface VersionsOptions {
  /** Working tree of the user, for its `node_modules`. */
  readonly root: string;
  readonly worktrees: Worktrees;
  readonly base: string;
  readonly rules: ReadRules;
  readonly isIsolated: boolean;
  /** Checks of earlier processes. */
  readonly checked: ReadonlyMap<string, CheckedVersion>;
  readonly onChecked: (checked: CheckedVersion) => Promise<void>;
}

/** Options of one run of the agent. */
export type AgentOptions = Omit<CommandOptions, 'root' | 'unsafe'>;

/** Versions of the code on one commit: each is checked once, and runs in a worktree of its own. */
export class Versions {
  readonly #options: VersionsOptions;
  readonly #tree: ReadonlyMap<string, TreeEntry>;
  readonly #places: Workplaces;
  readonly #prepared = new Map<string, Promise<Ready>>();
  readonly #checked: Map<string, CheckedVersion>;

  private constructor(options: VersionsOptions, tree: ReadonlyMap<string, TreeEntry>) {
    this.#options = options;
    this.#tree = tree;
    this.#checked = new Map(options.checked);
    this.#places = new Workplaces({ ...options, tree });
  }

  static async open(options: VersionsOptions): Promise<Versions> {
    return new Versions(options, await treeOf(options.worktrees.git, options.base));
  }

  /**
   * Returns a version that passed: paths, size, type check, and as many tests as the base passes.
   * @throws LoopError `not-accepted` with the reason. The same version is checked once.
   */
  prepare(code: CodePatch): Promise<Ready> {
    const key = hashOf(JSON.stringify(code));
    const known = this.#prepared.get(key);
    if (known) return known;
    const preparing = this.#prepare(code);
    this.#prepared.set(key, preparing);
    // Every caller gets the error. One of the machine, such as a full disk, is not kept.
    preparing.catch((error: unknown) => {
      if (!LoopError.is(error) || error.code !== 'not-accepted') this.#prepared.delete(key);
    });
    return preparing;
  }

  /**
   * Runs the agent in the sandbox and returns what it printed.
   * @throws LoopError `not-accepted` if the version is rejected or the agent fails.
   */
  async run(code: CodePatch, command: Command, options: AgentOptions): Promise<string> {
    const version = await this.prepare(code);
    return this.#places.use(version, async (place) => {
      const result = await this.#command(place, command, options);
      await this.#mustBeIntact(version, place, result);
      const fault = endFault('the agent', result);
      if (fault !== undefined) throw rejected(fault);
      return result.stdout;
    });
  }

  async #prepare(code: CodePatch): Promise<Ready> {
    const { worktrees, base, rules } = this.#options;
    const fault = patchFault(code, rules, this.#tree);
    if (fault !== undefined) return this.#reject(this.#idOf(code), code, fault);
    const before = await textsOf(worktrees.git, this.#tree, Object.keys(code));
    const changes = essential(code, before);
    const lines = patchSize(changes, before);
    const id = this.#idOf(changes);
    if (lines > rules.maxLines) {
      return this.#reject(id, changes, `it changes ${lines} lines of at most ${rules.maxLines}`);
    }
    const known = this.#checked.get(id);
    if (known?.why !== undefined) throw rejected(known.why);
    const commit = await this.#commit(base, changes);
    const version = { id, commit, code: changes, lines };
    // Every version must pass the tests that the base names.
    const isKnown = known && (Object.keys(changes).length > 0 || known.names);
    const { passed, failing, names } = isKnown ? known : await this.#verify(version);
    return {
      ...version,
      ...(passed !== undefined && { passed }),
      ...(failing !== undefined && { failing }),
      ...(names && { names }),
    };
  }

  /** Runs the check and the tests. Returns which tests passed, if their runner reports it. */
  async #verify(version: Ready): Promise<Tested> {
    const { rules } = this.#options;
    const base = Object.keys(version.code).length > 0 ? await this.prepare({}) : undefined;
    const tested = await this.#places.use(version, async (place): Promise<Tested> => {
      if (rules.check) {
        const fault = await this.#stage(version, place, 'the check', rules.check);
        if (fault.why !== undefined) return this.#reject(version.id, version.code, fault.why);
      }
      const { output, why } = await this.#stage(version, place, 'the tests', rules.test);
      const { count: passed, names } = passedTests(output, place.folder);
      if (why !== undefined && (base || !rules.allowFailing)) return this.#reject(version.id, version.code, why);
      const fault = base && this.#testFault({ passed, names }, base);
      if (fault !== undefined) return this.#reject(version.id, version.code, fault);
      return {
        ...(passed !== undefined && { passed }),
        ...(why !== undefined && { failing: why }),
        ...(!base && { names }),
      };
    });
    await this.#keep({ version: version.id, paths: Object.keys(version.code), ...tested });
    return tested;
  }

  /**
   * Returns why tests that did not fail prove nothing. A version passes as many tests as the branch, and more if that one
   * fails; also each one by its name. A runner names a file as a test if the file ended before its tests.
   */
  #testFault(
    { passed = 0, names }: { readonly passed: number | undefined; readonly names: readonly string[] },
    base: Tested,
  ): string | undefined {
    const needed = (base.passed ?? 0) + (base.failing === undefined ? 0 : 1);
    if (base.passed !== undefined && passed < needed)
      return `the tests ended after ${passed} of ${needed}, without a failure`;
    const known = base.names ?? [];
    const ended = [...this.#tree.keys()].find((path) => {
      const name = steadyName(path);
      return names.includes(name) && !known.includes(name);
    });
    if (ended !== undefined) return `${recordedText(ended, 200)} ended before its tests, without a failure`;
    const missing = missingTest(known, names);
    return missing && `the test ${JSON.stringify(recordedText(missing, 200))} was not run, and passes on the branch`;
  }

  async #stage(
    version: Ready,
    place: Workplace,
    what: string,
    command: Command,
  ): Promise<{ readonly output: string; readonly why: string | undefined }> {
    const result = await this.#command(place, command, { ...this.#options.rules.limits });
    await this.#mustBeIntact(version, place, result);
    return { output: `${result.stderr}\n${result.stdout}`, why: endFault(what, result) };
  }

  #command(place: Workplace, command: Command, options: AgentOptions): Promise<SandboxResult> {
    const { root, rules } = this.#options;
    return runCommand(place.folder, command, { ...options, root, unsafe: rules.unsafe });
  }

  /** Voids the version if a command changed files that count, or left processes. The base is only observed. */
  async #mustBeIntact(version: Ready, place: Workplace, result: SandboxResult): Promise<void> {
    const fault = await this.#places.fault(place, result);
    if (fault === undefined || Object.keys(version.code).length === 0) return;
    this.#prepared.clear();
    await this.#reject(version.id, version.code, fault);
  }

  async #reject(id: string, code: CodePatch, why: string): Promise<never> {
    const paths = Object.keys(code).slice(0, 20);
    await this.#keep({ version: id, paths: paths.map((path) => recordedText(path, 200)), why });
    throw rejected(why);
  }

  async #keep(checked: CheckedVersion): Promise<void> {
    this.#checked.set(checked.version, checked);
    await this.#options.onChecked(checked);
  }

  #idOf(code: CodePatch): string {
    const { base, rules } = this.#options;
    return hashOf(
      JSON.stringify([base, Object.entries(code), rules.check, rules.test, ...(rules.allowFailing ? ['failing'] : [])]),
    ).slice(0, 32);
  }

  async #commit(base: string, code: CodePatch): Promise<string> {
    const { worktrees } = this.#options;
    const tree = await writeTree(worktrees.git, base, new Map(Object.entries(code)), worktrees.index());
    return writeCommit(worktrees.git, tree, { parent: base, message: 'candidate\n', author: 'rsi-loop', atMs: 0 });
  }
}

function endFault(what: string, { ended, code, signal, stdout, stderr }: SandboxResult): string | undefined {
  if (ended === 'timed-out') return `${what} reached the time limit`;
  if (ended === 'memory') return `${what} reached the limit of memory`;
  if (ended === 'output') return `${what} wrote too much`;
  if (ended === 'stopped') return `${what} was stopped`;
  if (code === 0) return undefined;
  const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((each) => /not ok|error|fail|✖/i.test(each)) ?? lines.at(-1) ?? 'no output';
  return `${what} failed (${signal ?? `exit code ${code}`}): ${recordedText(line, 200)}`;
}

function rejected(why: string): LoopError {
  return new LoopError('not-accepted', `rejected: ${why}`);
}
