import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const SERVE_PROCESS: string = join(import.meta.dirname, 'serve-process.ts');

/** Report of a server in a process of its own. */
export interface ServerState {
  /** Memory of the process in bytes. */
  readonly rss: number;
  /** Time its processors took since it started, in microseconds. */
  readonly cpuUs: number;
}

/** A server in a process of its own, so that senders do not take its time or memory. */
export class ServerChild {
  readonly url: string;
  readonly #child: ChildProcess;
  #asked = 0;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** `args` as in `serve-process.ts`. */
  static start(...args: readonly string[]): Promise<ServerChild> {
    return ServerChild.#fork(SERVE_PROCESS, args, ['--import', import.meta.resolve('tsx')]);
  }

  /** `bundled`: what `bundleProcess` made of `SERVE_PROCESS`. It costs what users pay, without the names that tsx keeps. */
  static startBundled(bundled: string, ...args: readonly string[]): Promise<ServerChild> {
    return ServerChild.#fork(bundled, args);
  }

  static async #fork(program: string, args: readonly string[], execArgv: readonly string[] = []): Promise<ServerChild> {
    const child = fork(program, args, { execArgv: ['--expose-gc', ...execArgv] });
    const [{ url }] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('the server did not start'))),
    ]);
    return new ServerChild(child, url);
  }

  /** After everything that is not in use was let go. */
  state(): Promise<ServerState> {
    return this.#ask({ collect: true });
  }

  /** As it is. */
  memory(): Promise<ServerState> {
    return this.#ask({ collect: false });
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async #ask(question: { readonly collect: boolean }): Promise<ServerState> {
    const number = ++this.#asked;
    this.#child.send({ ...question, number });
    for (;;) {
      const [answer] = await once(this.#child, 'message');
      if (answer.number === number) return answer;
    }
  }
}
