import { type Fix, MemoryStore, RSILoop, type RSILoopOptions, type Store } from 'rsi-loop';
import { MemoryWorkspace } from 'rsi-loop/kit';
import { namedTexts } from 'rsi-loop/prompts';
import { ManualClock } from 'rsi-loop/testing';
import { seededRandom } from '../../src/lib/random.js';

export const NAME = 'support.system';
export const FILE = 'prompts/system.md';
export const BASE = 'You answer questions of {{customer}}.\nBe polite.';
export const BETTER = 'You answer questions of {{customer}}.\nBe polite. Give the amount in euros.';

/** An agent whose tasks fail as often as the text that it sends says. */
export class PromptWorld {
  readonly clock: ManualClock;
  readonly random = seededRandom(7);
  readonly store: Store;
  readonly workspace = new MemoryWorkspace({ [FILE]: undefined });
  readonly problems: string[] = [];
  loop: RSILoop;
  /** Failure rate by text. */
  rates: (text: string) => number = () => 0.3;
  /** Session of each task, by the number of the task. */
  session: (index: number) => string | undefined = () => undefined;
  tokens: (text: string) => number = () => 100;

  constructor({ store, ...options }: RSILoopOptions & { store?: Store } = {}, startMs = Date.UTC(2026, 0, 5)) {
    this.clock = new ManualClock(startMs);
    this.store = store ?? new MemoryStore({ clock: this.clock });
    this.loop = this.open(options);
  }

  open(options: RSILoopOptions = {}): RSILoop {
    const loop = new RSILoop({
      clock: this.clock,
      random: this.random,
      store: this.store,
      workspace: this.workspace,
      prompts: namedTexts({ [NAME]: { text: BASE, file: FILE } }),
      ...options,
    });
    loop.on('problem', ({ where, message }) => this.problems.push(`${where}: ${message}`));
    return loop;
  }

  /** Runs tasks, with a cycle after every 50. Returns how often each text was sent. */
  async work(tasks: number, loop = this.loop): Promise<ReadonlyMap<string, number>> {
    const sent = new Map<string, number>();
    for (let index = 1; index <= tasks; index++) {
      await this.clock.advance(60_000);
      const session = this.session(index);
      const { prompts, end } = loop.begin('answer', session === undefined ? {} : { session });
      const text = prompts[NAME] ?? 'none';
      sent.set(text, (sent.get(text) ?? 0) + 1);
      const success = this.random() >= this.rates(text);
      const tokens = { input: this.tokens(text), output: 50 };
      end(success ? { success, tokens } : { success, tokens, error: 'no amount', issues: ['wrong_output'] });
      if (index % 50 === 0) await loop.runCycle();
    }
    return sent;
  }

  get fix(): Fix {
    const [fix] = this.loop.fixes({ kind: 'prompt' });
    if (!fix) throw new Error('no text was proposed');
    return fix;
  }

  async textOfFile(): Promise<string | undefined> {
    return (await this.workspace.read(FILE)).text;
  }
}
