import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeProject } from 'rsi-loop/improve';
import { bundleProcess } from '../../../bundle-process.js';
import { runNode } from '../../../run-node.js';
import { PROOF } from './proof.js';
import { createRepository, GOOD_SUM, optionsFor, SUM } from './repository.js';

type Verb = 'approve' | 'rollback';

/** Result of decisions that were killed. */
export interface KilledDecisions {
  readonly kills: number;
  /** Kills after which the branch had its new commit already. */
  readonly afterTheMove: number;
  readonly broken: readonly string[];
}

/**
 * Kills a decision with SIGKILL before or after one of its calls of git, decides again, and looks whether the change is merged (or
 * rolled back) exactly once, with the working tree of the user as it should be.
 * @param pick Chooses among the positions: the number of the call, and how many there are.
 */
export async function killDecisions(
  work: string,
  verb: Verb,
  pick: (call: number, of: number) => boolean,
): Promise<KilledDecisions> {
  const program = await bundleProcess('test/integrations/improve/code/decide-process.ts', work);
  const template = await prepare(work, verb);
  const lives = new Lives(work, program, verb, template);
  const calls = await lives.countCalls();
  let [kills, afterTheMove] = [0, 0];
  const broken: string[] = [];
  for (let call = 1; call <= calls; call++) {
    if (!pick(call, calls)) continue;
    for (const when of ['before', 'after'] as const) {
      const { hasMoved, faults } = await lives.kill(call, when);
      kills++;
      if (hasMoved) afterTheMove++;
      broken.push(...faults.map((fault) => `${verb}, killed ${when} call ${call} of ${calls}: ${fault}`));
    }
  }
  return { kills, afterTheMove, broken };
}

/** Creates a repository with a change that waits, or is merged. */
async function prepare(work: string, verb: Verb): Promise<string> {
  const repository = createRepository();
  const project = await codeProject({ ...optionsFor(repository), test: ['true'] });
  const change = await project.submit({ name: 'signs', code: { 'src/sum.mjs': GOOD_SUM, 'src/new.mjs': '' } }, PROOF);
  if (verb === 'rollback') await project.approve(change.id, { by: 'Ada', reason: 'it reads well' });
  await project.close();
  repository.write({ 'README.md': '# My notes\n' });
  const template = join(work, 'template');
  cpSync(repository.folder, template, { recursive: true });
  repository.remove();
  return template;
}

class Lives {
  readonly #work: string;
  readonly #program: string;
  readonly #verb: Verb;
  readonly #template: string;

  constructor(work: string, program: string, verb: Verb, template: string) {
    this.#work = work;
    this.#program = program;
    this.#verb = verb;
    this.#template = template;
  }

  async countCalls(): Promise<number> {
    const folder = this.#copy();
    const { code, stderr } = await this.#decide(folder, { call: 0, when: 'before' });
    if (code !== 0) throw new Error(stderr);
    const calls = Number(readFileSync(join(this.#work, 'count'), 'utf8'));
    rmSync(folder, { recursive: true });
    return calls;
  }

  async kill(call: number, when: 'before' | 'after') {
    const folder = this.#copy();
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
    const tip = git('rev-parse', 'main');
    await this.#decide(folder, { call, when });
    const hasMoved = git('rev-parse', 'main') !== tip;
    const left = leftOf(folder);
    const end = await this.#decide(folder);
    const faults: string[] = [];
    const expect = (what: string, found: unknown, wanted: unknown) => {
      if (found !== wanted) faults.push(`${what} is ${found}, not ${wanted}`);
    };
    const isMerged = this.#verb === 'approve';
    expect('status', end.stdout.trim() || end.stderr, isMerged ? 'merged' : 'rolled-back');
    expect('number of commits', git('rev-list', '--count', `${tip}..main`), '1');
    expect('working tree', git('status', '--short'), 'M README.md');
    expect('file', readFileSync(join(folder, 'src/sum.mjs'), 'utf8'), isMerged ? GOOD_SUM : SUM);
    expect('new file', existsSync(join(folder, 'src/new.mjs')), isMerged);
    expect('notes', readFileSync(join(folder, 'README.md'), 'utf8'), '# My notes\n');
    expect('fsck', git('fsck', '--full', '--no-dangling'), '');
    expect('worktrees', [...left, ...leftOf(folder)].filter((path) => existsSync(path)).length, 0);
    rmSync(folder, { recursive: true });
    return { hasMoved, faults };
  }

  #copy(): string {
    const folder = join(this.#work, 'copy');
    cpSync(this.#template, folder, { recursive: true });
    return folder;
  }

  /** Runs the decision with a git that kills its caller at a call. */
  async #decide(folder: string, at?: { readonly call: number; readonly when: 'before' | 'after' }) {
    const bin = join(this.#work, 'bin');
    const count = join(this.#work, 'count');
    mkdirSync(bin, { recursive: true });
    writeFileSync(count, '0');
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const kill = (when: string) => (at?.when === when ? `[ $n = ${at.call} ] && kill -9 $PPID` : ':');
    const script = `#!/bin/sh\nread n < ${count}\nn=$((n + 1))\necho $n > ${count}\n${kill('before')}\n${real} "$@"\ncode=$?\n${kill('after')}\nexit $code\n`;
    writeFileSync(join(bin, 'git'), script);
    chmodSync(join(bin, 'git'), 0o755);
    const PATH = at ? `${bin}:${process.env.PATH}` : process.env.PATH;
    return runNode([this.#program, folder, this.#verb], { cwd: this.#work, env: { PATH } });
  }
}

/** Folders of worktrees that processes have recorded. */
function leftOf(folder: string): readonly string[] {
  const sessions = join(folder, '.git/rsi-loop/sessions');
  return readdirSync(sessions).flatMap((name) => {
    const text = readFileSync(join(sessions, name), 'utf8');
    return text === '' ? [] : [String(JSON.parse(text).folder)];
  });
}
