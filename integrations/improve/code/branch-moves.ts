import { type Clock, LoopError } from 'rsi-loop';
import { type ImprovementLog, messageOf } from 'rsi-loop/kit';
import { machineProcesses, type ProcessTable } from 'rsi-loop/node';
import { type FileChanges, moveBranch, writeCommit, writeTree } from '../worktree/commits.js';
import { changedPaths, isAncestor, type Repository, tipOf } from '../worktree/repository.js';
import { show, workFault } from '../worktree/working-tree.js';
import { type CodeDecision, type CodeState, type CodeStep, type Move, stateAfter } from './code-change.js';

export interface BranchMovesOptions {
  readonly repository: Repository;
  readonly log: ImprovementLog<CodeStep>;
  readonly clock: Clock;
  /** Returns the path of an index for one operation. */
  readonly index: () => string;
}

/** Log of all projects of one repository. */
export const LOG = 'code';

/**
 * Moves the branch of the user to a new commit: record the intention, move the reference, update the working tree, record
 * the end. Only moving the reference makes the change take effect, and git does that in one step. What an interrupted process left
 * open is read from the repository.
 */
export class BranchMoves {
  readonly #options: BranchMovesOptions;
  readonly #processes: ProcessTable = machineProcesses();

  constructor(options: BranchMovesOptions) {
    this.#options = options;
  }

  /** Returns the state, after the moves that a process did not finish are settled. */
  async settled(): Promise<CodeState> {
    const { log } = this.#options;
    const { moves } = stateAfter(await log.load(LOG));
    for (const move of moves.values()) await this.#settle(move);
    return stateAfter(await log.load(LOG));
  }

  /**
   * Commits changes of files on the tip of the branch.
   * @throws LoopError `illegal-step` if the working tree has changes in these files, or the branch moves meanwhile.
   */
  async commit(
    changes: FileChanges,
    move: Pick<Move, 'id' | 'to'> & { readonly tip: string; readonly message: string; readonly decision: CodeDecision },
  ): Promise<void> {
    const { repository, clock, index } = this.#options;
    const { git } = repository;
    const paths = [...changes.keys()].sort();
    const fault = await workFault(repository, paths);
    if (fault !== undefined) throw illegal(fault);
    const atMs = clock.now();
    const tree = await writeTree(git, move.tip, changes, index());
    const author = 'rsi-loop';
    const commit = await writeCommit(git, tree, { parent: move.tip, message: move.message, author, atMs });
    const written = [...(await changedPaths(git, move.tip, commit))].sort();
    if (written.join('\0') !== paths.join('\0')) throw illegal(`the commit would change ${written.join(', ')}`);
    const { id, to, tip: from, decision } = move;
    await this.#move({ ...decision, id, to, from, commit, process: this.#processes.self, atMs });
  }

  async #move(move: Move): Promise<void> {
    const { repository } = this.#options;
    await this.#add({ kind: 'moving', ...move });
    const why = `rsi-loop: ${move.to} ${move.id}`;
    await moveBranch(repository, { from: move.from, to: move.commit, why }).catch(async (cause: unknown) => {
      await this.#add({ kind: 'moved', id: move.id, isDone: false });
      throw illegal(`${repository.branch} moved meanwhile: try again`, cause);
    });
    await this.#show(move);
  }

  /** Finishes a move of a process that has ended: done if the branch has its commit, otherwise nothing happened. */
  async #settle(move: Move): Promise<void> {
    const { repository } = this.#options;
    const isOwn = move.process.pid === this.#processes.self.pid;
    if (!isOwn && this.#processes.liveness(move.process) !== 'dead') {
      throw illegal(`process ${move.process.pid} is deciding on ${move.id}: try again when it has ended`);
    }
    const tip = await tipOf(repository);
    if (tip === move.commit) return this.#show(move);
    const isDone = await isAncestor(repository.git, move.commit, tip);
    await this.#add({ kind: 'moved', id: move.id, isDone });
  }

  /** Updates the working tree. The move has taken effect already, even if this fails. */
  async #show(move: Move): Promise<void> {
    const { repository } = this.#options;
    const shown = await show(repository, { from: move.from, to: move.commit }).catch((cause: unknown) => cause);
    await this.#add({ kind: 'moved', id: move.id, isDone: true });
    if (shown === undefined) return;
    const advice = `run "git status", and "git restore --staged --worktree" with the files`;
    const what = `${repository.branch} has the commit ${move.commit.slice(0, 12)}, but the working tree could not follow`;
    throw new LoopError('workspace-failed', `${what} (${messageOf(shown)}): ${advice}`, { cause: shown });
  }

  async #add(step: CodeStep): Promise<void> {
    await this.#options.log.add(LOG, step);
  }
}

function illegal(why: string, cause?: unknown): LoopError {
  return new LoopError('illegal-step', why, { cause });
}
