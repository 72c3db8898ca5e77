import { Worker } from 'node:worker_threads';
import { type Clock, SystemClock } from 'rsi-loop';

const MEMORY_MB = 256;
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { transpile } = require(workerData);
const options = { module: 99 /* ESNext */, target: 9 /* ES2022 */ };
parentPort.on('message', (text) => parentPort.postMessage(transpile(text, options)));
parentPort.postMessage('');
`;

/**
 * Removes types from code that is not trusted, in a thread that is ended at a limit: no code stops the host. The thread
 * starts at the first code, and never keeps the process alive.
 */
export class CompilerThread {
  readonly #compiler: string;
  readonly #clock: Clock = new SystemClock();
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param compiler path of the package `typescript`. */
  constructor(compiler: string) {
    this.#compiler = compiler;
  }

  /** Returns the code without types; `undefined` if that took too long or too much memory. */
  transpile(text: string, timeoutMs: number): Promise<string | undefined> {
    const done = this.#last.then(async () => {
      this.#worker ??= await this.#start();
      const worker = this.#worker;
      if (!worker) return undefined;
      const next = nextMessage(worker);
      const cancel = this.#clock.after(timeoutMs, () => void worker.terminate());
      worker.ref();
      worker.postMessage(text);
      const answer = await next;
      cancel();
      if (answer === undefined) this.#worker = undefined;
      else worker.unref();
      return answer;
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #start(): Promise<Worker | undefined> {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: 4 };
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: this.#compiler,
      resourceLimits,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    worker.on('error', () => undefined); // its end is the answer
    return (await nextMessage(worker)) === undefined ? undefined : worker;
  }
}

/** Resolves with the next message of a worker; `undefined` if it ends first. */
function nextMessage(worker: Worker): Promise<string | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: string | undefined) => {
      worker.off('message', settle).off('exit', onEnd).off('error', onEnd);
      resolve(answer);
    };
    const onEnd = () => settle(undefined);
    worker.on('message', settle).on('exit', onEnd).on('error', onEnd);
  });
}
