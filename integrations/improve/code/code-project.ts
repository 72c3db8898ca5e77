import { type Clock, LoopError, SystemClock } from 'rsi-loop';
import type { CodePatch, Variant } from 'rsi-loop/bench';
import { runSandboxed } from 'rsi-loop/bench';
import { comparing, type ImprovementLog, messageOf } from 'rsi-loop/kit';
import { FileLog, hashOf } from 'rsi-loop/node';
import { openRepository, type Repository, textsOf, tipOf, treeOf } from '../worktree/repository.js';
import { homeOf, Worktrees } from '../worktree/worktrees.js';
import { BranchMoves, LOG } from './branch-moves.js';
import {
  type CheckedVersion,
  type CodeChange,
  type CodeDecision,
  type CodeEvidence,
  type CodeStep,
  stateAfter,
} from './code-change.js';
import { pathFault } from './code-path.js';
import { type CodeRules, type Command, type ReadRules, readRules } from './code-rules.js';
import { mergeMessage, rollbackMessage } from './commit-message.js';
import { evidenceFault, illegal, mustBePerson } from './decision-rules.js';
import { type AgentOptions, Versions } from './versions.js';

/** Options of `codeProject`. */
export interface CodeProjectOptions extends CodeRules {
  /** Root of the git repository with the agent. Its branch that is checked out is the one to improve. */
  readonly folder: string;
  readonly clock?: Clock;
}

/** Result of the checks of a version. */
export type CodeCheck =
  | {
      readonly ok: true;
      readonly lines: number;
      readonly passed?: number;
      /** Only for the branch as it is: why its tests fail, if `allowFailing` is set. */
      readonly failing?: string;
    }
  | { readonly ok: false; readonly why: string };

/**
 * Opens a repository whose code may be improved. Checks and tests run on the branch as it is. Worktrees of processes that
 * have ended are removed, and a decision that was interrupted is settled.
 * @throws LoopError `invalid-input` if an option is out of range, the folder is not a repository, or its tests fail;
 * `sandbox-refused` if the platform cannot isolate commands and `unsafe` is not set.
 */
export async function codeProject(options: CodeProjectOptions): Promise<CodeProject> {
  const rules = readRules(options);
  const repository = await openRepository(options.folder);
  const home = homeOf(repository);
  const probe = await runSandboxed('true', [], { unsafe: rules.unsafe });
  const worktrees = await Worktrees.open(repository, home);
  const parts = {
    rules,
    repository,
    worktrees,
    base: await tipOf(repository),
    isIsolated: probe.enforced.files,
    log: new FileLog<CodeStep>(home),
    clock: options.clock ?? new SystemClock(),
  };
  const project = new CodeProject(parts);
  try {
    await project.ready();
  } catch (cause) {
    await project.close();
    if (!LoopError.is(cause) || cause.code !== 'not-accepted') throw cause;
    const why = messageOf(cause).replace('rejected: ', '');
    throw new LoopError('invalid-input', `${repository.branch} as it is fails: ${why}`, { cause });
  }
  return project;
}

interface Parts {
  readonly rules: ReadRules;
  readonly repository: Repository;
  readonly worktrees: Worktrees;
  readonly base: string;
  readonly isIsolated: boolean;
  readonly log: FileLog<CodeStep> & ImprovementLog<CodeStep>;
  readonly clock: Clock;
}

/** Repository whose code is improved. Only `approve` and `rollback` change it, each by one commit. */
export class CodeProject {
  /** Branch that decisions move. */
  readonly branch: string;
  /** Commit of the agent as it is. Name the suite after it, so that runs of another commit are not used. */
  readonly base: string;
  readonly #parts: Parts;
  readonly #moves: BranchMoves;
  #versions: Promise<Versions> | undefined;
  /** Decisions run one at a time. */
  #deciding: Promise<unknown> = Promise.resolve();

  /** @internal Use `codeProject`. */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.base = parts.base;
    this.branch = parts.repository.branch;
    this.#moves = new BranchMoves({ ...parts, index: () => parts.worktrees.index() });
  }

  /** @internal Settles interrupted decisions, and checks the branch as it is. */
  async ready(): Promise<void> {
    await this.#moves.settled();
    await (await this.#current).prepare({});
  }

  /**
   * Runs a command of the agent in the sandbox, in a worktree with the code of a version, and returns what it printed. Call
   * it in `run` of a suite, with the `code` of the context.
   * @throws LoopError `not-accepted` if the version is rejected, or the command fails.
   */
  async run(code: CodePatch, command: Command, options: AgentOptions = {}): Promise<string> {
    return (await this.#current).run(code, command, options);
  }

  /** Checks a version: paths, size, type check and tests. The result is kept. */
  async check(code: CodePatch): Promise<CodeCheck> {
    try {
      const { lines, passed, failing } = await (await this.#current).prepare(code);
      return { ok: true, lines, ...(passed !== undefined && { passed }), ...(failing !== undefined && { failing }) };
    } catch (error) {
      if (!LoopError.is(error) || error.code !== 'not-accepted') throw error;
      return { ok: false, why: error.message.replace('rejected: ', '') };
    }
  }

  /** Returns the text of a file on the branch as it is; undefined if there is none, or it is no regular file. */
  async text(path: string): Promise<string | undefined> {
    const { git } = this.#parts.repository;
    return (await textsOf(git, await treeOf(git, this.base), [path])).get(path);
  }

  /** Returns whether a change may write a file. */
  mayChange(path: string): boolean {
    const { rules } = this.#parts;
    return pathFault(path) === undefined && rules.allowed.has(path) && !rules.protected.has(path);
  }

  /** Absolute path of the working tree, without links. */
  get root(): string {
    return this.#parts.repository.root;
  }

  /**
   * Hands in a proven version, so that a person can decide.
   * @throws LoopError `not-accepted` if a check rejects it, or a comparison does not show that it is better.
   */
  async submit(variant: Variant, evidence: CodeEvidence): Promise<CodeChange> {
    const { code = {}, name = 'candidate' } = variant;
    const fault = evidenceFault(variant, evidence);
    if (fault !== undefined) throw new LoopError('not-accepted', fault);
    const version = await (await this.#current).prepare(code);
    if (Object.keys(version.code).length === 0) throw new LoopError('not-accepted', `${name} changes no file`);
    return this.#decide(async () => {
      const known = (await this.#moves.settled()).changes.get(version.id);
      if (known) return known;
      const change = { id: version.id, name, base: this.base, code: version.code, lines: version.lines, evidence };
      await this.#parts.log.add(LOG, { kind: 'submitted', change });
      return { ...change, status: 'waiting' };
    });
  }

  /** Returns the changes that were handed in, oldest first. */
  async changes(): Promise<readonly CodeChange[]> {
    return [...(await this.#moves.settled()).changes.values()];
  }

  /** Returns a change as a unified diff against the commit on which it was measured. */
  async diff({ base, code }: CodeChange): Promise<string> {
    const { git } = this.#parts.repository;
    const before = await textsOf(git, await treeOf(git, base), Object.keys(code));
    return Object.entries(code)
      .map(([path, text]) => comparing.unifiedDiff(before.get(path), text ?? undefined, path))
      .join('\n');
  }

  /** Returns the versions that were rejected without a benchmark, oldest first, with the reason. */
  async rejected(): Promise<readonly CheckedVersion[]> {
    const { checked } = stateAfter(await this.#parts.log.load(LOG));
    return [...checked.values()].filter(({ why }) => why !== undefined);
  }

  /**
   * Merges a change as one commit, on behalf of a person. If the branch has moved since it was measured, it must not have
   * changed the same files, and the checks run again on the result.
   * @param id Id of the change, or its first characters.
   * @throws LoopError `illegal-step` if it is not waiting, the branch changed its files, or they have changes that are not committed;
   * `not-accepted` if the checks fail on the moved branch.
   */
  approve(id: string, decision: CodeDecision): Promise<CodeChange> {
    return this.#decide(async () => {
      mustBePerson(decision);
      const change = await this.#find(id, 'waiting');
      const tip = await tipOf(this.#parts.repository);
      if (tip !== change.base) await this.#mustFit(change, tip);
      const message = mergeMessage(change, hashOf(JSON.stringify(change.code)), decision);
      const changes = new Map(Object.entries(change.code));
      await this.#moves.commit(changes, { id: change.id, to: 'merged', tip, message, decision });
      return this.#find(change.id);
    });
  }

  /** Rejects a change, on behalf of a person. */
  reject(id: string, decision: CodeDecision): Promise<CodeChange> {
    return this.#decide(async () => {
      mustBePerson(decision);
      const change = await this.#find(id, 'waiting');
      await this.#parts.log.add(LOG, { ...decision, kind: 'rejected', id: change.id, atMs: this.#parts.clock.now() });
      return this.#find(change.id);
    });
  }

  /**
   * Rolls a merged change back by one commit.
   * @throws LoopError `illegal-step` if it is not merged, or its files were changed after the merge.
   */
  rollback(id: string, decision: CodeDecision): Promise<CodeChange> {
    return this.#decide(async () => {
      mustBePerson(decision);
      const change = await this.#find(id, 'merged');
      const { git } = this.#parts.repository;
      const tip = await tipOf(this.#parts.repository);
      const paths = Object.keys(change.code);
      const changed = await this.#changed(`${change.commit}`, tip, paths);
      if (changed !== undefined) {
        throw illegal(
          `${changed} was changed after the merge: run "git revert ${change.commit?.slice(0, 12)}" instead`,
        );
      }
      const before = await textsOf(git, await treeOf(git, `${change.commit}^`), paths);
      const changes = new Map(paths.map((path) => [path, before.get(path) ?? null]));
      const message = rollbackMessage(change, decision);
      await this.#moves.commit(changes, { id: change.id, to: 'rolled-back', tip, message, decision });
      return this.#find(change.id);
    });
  }

  /** Removes all worktrees. Call it at the end; after a kill, the next process does it. */
  async close(): Promise<void> {
    await this.#deciding;
    await this.#parts.log.close();
    await this.#parts.worktrees.close();
  }

  get #current(): Promise<Versions> {
    this.#versions ??= this.#versionsOn(this.base);
    return this.#versions;
  }

  async #versionsOn(base: string): Promise<Versions> {
    const { log, repository, ...parts } = this.#parts;
    const { checked } = stateAfter(await log.load(LOG));
    const onChecked = (version: CheckedVersion) => log.add(LOG, { kind: 'checked', ...version });
    return Versions.open({ ...parts, root: repository.root, base, checked, onChecked });
  }

  /** Rejects unless a change applies to a branch that has moved, and passes the checks there. */
  async #mustFit(change: CodeChange, tip: string): Promise<void> {
    const changed = await this.#changed(change.base, tip, Object.keys(change.code));
    if (changed !== undefined) throw illegal(`${this.branch} has changed ${changed} since: measure the change again`);
    await (await this.#versionsOn(tip)).prepare(change.code);
  }

  /** Returns the first of these files that differs between two commits. */
  async #changed(from: string, to: string, paths: readonly string[]): Promise<string | undefined> {
    const { git } = this.#parts.repository;
    const [before, after] = [await treeOf(git, from), await treeOf(git, to)];
    return paths.find((path) => {
      const [old, young] = [before.get(path), after.get(path)];
      return old?.hash !== young?.hash || old?.mode !== young?.mode;
    });
  }

  async #find(id: string, status?: CodeChange['status']): Promise<CodeChange> {
    const { changes } = await this.#moves.settled();
    const [change, other] = [...changes.values()].filter((each) => id !== '' && each.id.startsWith(id));
    if (!change || other) {
      throw new LoopError(
        'invalid-input',
        `${change ? 'several changes' : 'no change'} begin with ${id}: see changes()`,
      );
    }
    if (status === undefined || change.status === status) return change;
    throw illegal(`${change.name} is ${change.status}, not ${status}`);
  }

  #decide<T>(decide: () => Promise<T>): Promise<T> {
    const decided = this.#deciding.then(decide);
    this.#deciding = decided.catch(() => undefined);
    return decided;
  }
}
