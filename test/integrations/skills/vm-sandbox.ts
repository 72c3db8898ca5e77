import { Script } from 'node:vm';
import type { Sandbox, SandboxAnswer, SandboxProgram, SandboxRun } from 'rsi-loop/sandbox';
import { transform } from 'sucrase';
import type { Json } from '../../../src/contract/json.js';

/** Sandbox for tests: runs code of the tests themselves in a context of `node:vm`, with a time limit and no access. */
export class VmSandbox implements Sandbox {
  readonly name = 'vm';
  readonly languages = ['javascript', 'typescript'] as const;
  /** Runs so far. */
  runs = 0;
  /** Permissions of each run. */
  readonly allowed: SandboxRun['allow'][] = [];

  async run(
    { language, code }: SandboxProgram,
    input: Json,
    { allow, signal }: SandboxRun = {},
  ): Promise<SandboxAnswer> {
    this.runs++;
    this.allowed.push(allow);
    const trace = { calls: [], log: [], durationMs: 0 };
    if (signal?.aborted) return { kind: 'failed', reason: 'stopped', message: 'stopped', ...trace };
    try {
      // An endless loop is not run, so that no test waits for the clock.
      if (/for \(;;\)/.test(String(code)))
        return { kind: 'failed', reason: 'timeout', message: 'no answer in time', ...trace };
      const plain =
        language === 'typescript' ? transform(String(code), { transforms: ['typescript'] }).code : String(code);
      const script = plain.replace('export default', 'globalThis.main =');
      const text = `${script}\n;JSON.stringify(globalThis.main(${JSON.stringify(input)}))`;
      const output: unknown = new Script(text).runInNewContext({}, { timeout: 10_000 });
      if (typeof output !== 'string') throw new Error('the program returned no JSON');
      return { kind: 'answer', output: JSON.parse(output) as Json, ...trace };
    } catch (error) {
      const { name = 'Error', message = '' } = error as { name?: string; message?: string };
      return { kind: 'failed', reason: 'error', message: `${name}: ${message}`, ...trace };
    }
  }

  async close(): Promise<void> {}
}
