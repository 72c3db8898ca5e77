import { type ChildProcess, fork } from 'node:child_process';
import { LoopError } from 'rsi-loop';
import type { Problem, ProblemResult } from 'rsi-loop/bench';
import { isObject } from '../config/check-config.js';
import { loadBenchFile, suiteNamed } from './bench-file.js';

/** Hidden action of `rsi bench` that runs problems for another process. */
export const SIDE_ACTION = 'answer-problems';

type FromSide =
  | { readonly kind: 'ready'; readonly suite: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'result'; readonly call: number; readonly result: ProblemResult };

export interface SideOptions {
  /** Name in messages, such as a branch. */
  readonly name: string;
  readonly folder: string;
  readonly file?: string;
  readonly suite?: string;
}

/** One version of the agent in a folder of its own, where a process runs its problems. */
export class AgentSide {
  readonly name: string;
  readonly suite: string;
  readonly problems: readonly Problem[];
  readonly #child: ChildProcess;
  readonly #waiting: Map<number, (result: ProblemResult) => void>;
  readonly #state: { end?: string };
  #calls = 0;

  private constructor(
    name: string,
    { suite, problems }: Extract<FromSide, { kind: 'ready' }>,
    child: ChildProcess,
    shared: { readonly waiting: Map<number, (result: ProblemResult) => void>; readonly state: { end?: string } },
  ) {
    this.name = name;
    this.suite = suite;
    this.problems = problems;
    this.#child = child;
    this.#waiting = shared.waiting;
    this.#state = shared.state;
  }

  /** @throws LoopError `invalid-input` if the folder has no benchmark that can be loaded. */
  static open({ name, folder, file, suite }: SideOptions): Promise<AgentSide> {
    const command = process.argv[1] ?? '';
    const options = [
      ...(file === undefined ? [] : ['--file', file]),
      ...(suite === undefined ? [] : ['--suite', suite]),
    ];
    // Output of the agent is no part of the report.
    const child = fork(command, ['bench', SIDE_ACTION, ...options], { cwd: folder, stdio: ['ignore', 2, 2, 'ipc'] });
    const waiting = new Map<number, (result: ProblemResult) => void>();
    const state: { end?: string } = {};
    return new Promise((resolve, reject) => {
      child.on('message', (message: FromSide) => {
        if (message.kind === 'ready') resolve(new AgentSide(name, message, child, { waiting, state }));
        else if (message.kind === 'refused') reject(new LoopError('invalid-input', `${name}: ${message.message}`));
        else waiting.get(message.call)?.(message.result);
      });
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        state.end = `the process of ${name} ended (${signal ?? code})`;
        reject(new LoopError('invalid-input', state.end));
        for (const [call, done] of [...waiting])
          done({ problemId: String(call), score: 0, durationMs: 0, error: state.end });
      });
    });
  }

  /** Runs a problem once. Never rejects. */
  async run({ id: problemId }: Problem): Promise<ProblemResult> {
    const call = this.#calls++;
    const { end } = this.#state;
    if (end !== undefined) return { problemId, score: 0, durationMs: 0, error: end };
    const result = await new Promise<ProblemResult>((resolve) => {
      this.#waiting.set(call, resolve);
      this.#child.send({ call, problemId });
    });
    this.#waiting.delete(call);
    return { ...result, problemId };
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.kill();
  }
}

/** Runs problems of the benchmark in this folder, as another process asks for them, until that one ends. */
export async function answerProblems({ file, suite: name }: Pick<SideOptions, 'file' | 'suite'>): Promise<void> {
  const send = (message: FromSide) => process.send?.(message);
  try {
    const suite = suiteNamed(await loadBenchFile(file), name);
    const problems = new Map(suite.problems.map((problem) => [problem.id, problem]));
    process.on('message', async (message) => {
      const { call, problemId } = isObject(message) ? (message as { call: number; problemId: string }) : {}; // `run` above sends it
      const problem = problems.get(problemId ?? '');
      if (call !== undefined && problem) send({ kind: 'result', call, result: await suite.run(problem) });
    });
    send({ kind: 'ready', suite: suite.name, problems: suite.problems });
    await new Promise<void>((resolve) => process.once('disconnect', resolve));
  } catch (cause) {
    if (!LoopError.is(cause)) throw cause;
    send({ kind: 'refused', message: cause.message });
  }
}
