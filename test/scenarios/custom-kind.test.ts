import { type ChangeKind, type CustomChange, describeFix, type Fix, MemoryStore, RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';

/** A kind of change that the library does not know: the text of a system prompt. */
function promptKind(texts: Readonly<Record<string, string>>): ChangeKind<CustomChange> {
  return {
    kind: 'my.prompt',
    *propose({ pattern }) {
      const text = texts[pattern.issue];
      if (text === undefined) return;
      const scope = { task: pattern.task };
      const change: CustomChange = {
        kind: 'my.prompt',
        scope,
        content: { system: text },
        undo: { system: 'You help.' },
      };
      yield { target: 'system', change, details: () => ({ reason: `a clearer prompt against ${pattern.issue}` }) };
    },
    effect: ({ content }) => ({ given: content }),
    content: ({ content }) => content,
    describe: ({ change: { content, undo } }) => ({
      title: `system prompt: ${content.system}`,
      undo: `system prompt: ${undo.system}`,
      inForce: 'every task gets the prompt',
      rolledBack: 'every task gets the prompt before',
    }),
  };
}

class World {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5));
  readonly #random = seededRandom(7);
  readonly #store = new MemoryStore({ clock: this.clock });
  loop = this.open([promptKind({ wrong_output: 'Answer in three sentences.' })]);

  open(kinds: readonly ChangeKind[]): RSILoop {
    return new RSILoop({ clock: this.clock, random: this.#random, store: this.#store, kinds });
  }

  /** Runs tasks that fail half of the time, or at `rateWith` with the prompt. A cycle runs after every 50. */
  async work(tasks: number, rateWith: number): Promise<ReadonlySet<string>> {
    const seen = new Set<string>();
    for (let index = 1; index <= tasks; index++) {
      await this.clock.advance(60_000);
      const { given, end } = this.loop.begin('summarize');
      const prompt = String(given[0]?.system ?? 'none');
      seen.add(prompt);
      const success = this.#random() >= (prompt === 'none' ? 0.5 : rateWith);
      end(success ? { success } : { success, error: 'too long', issues: ['wrong_output'] });
      if (index % 50 === 0) await this.loop.runCycle();
    }
    return seen;
  }

  get fix(): Fix {
    const [fix] = this.loop.fixes({ kind: 'my.prompt' });
    if (!fix) throw new Error('nothing was proposed');
    return fix;
  }
}

const PROMPT = 'Answer in three sentences.';

describe('a kind of change that the host defines', () => {
  it('is proposed, approved, tried on a random part of the tasks, confirmed, and rolled back', async () => {
    const world = new World();
    const events: string[] = [];
    for (const kind of ['fix-proposed', 'fix-approved', 'trial-started', 'verdict', 'fix-rolled-back'] as const) {
      world.loop.on(kind, ({ fix }) => {
        if (fix.change.kind === 'my.prompt') events.push(kind);
      });
    }
    expect(await world.work(50, 0.1)).toEqual(new Set(['none']));
    expect(world.fix).toMatchObject({ status: 'proposed', target: 'system', unit: 'task', safe: false });
    expect(await world.work(50, 0.1)).toEqual(new Set(['none']));

    await world.loop.approve(world.fix.id, { by: 'ann' });
    await world.loop.runCycle();
    expect(world.fix.status).toBe('trial');
    expect(await world.work(400, 0.1)).toEqual(new Set(['none', PROMPT]));
    expect(world.fix).toMatchObject({ status: 'confirmed', verdict: { kind: 'confirmed' } });
    expect(describeFix(world.loop, world.fix).title).toBe(`system prompt: ${PROMPT}`);
    expect(world.loop.explain(world.fix.id).lessons[0]).toMatchObject({ set: { system: PROMPT }, result: 'helped' });

    await world.loop.rollback(world.fix.id, { by: 'ann' });
    expect(await world.work(50, 0.1)).toEqual(new Set(['none']));
    expect(events).toEqual(['fix-proposed', 'fix-approved', 'trial-started', 'verdict', 'fix-rolled-back']);
    await world.loop.close();
  });

  it('is rolled back if it does harm, and not proposed again', async () => {
    const world = new World();
    await world.work(50, 0.95);
    await world.loop.approve(world.fix.id, { by: 'ann' });
    await world.work(400, 0.95);
    expect(world.fix).toMatchObject({ status: 'rolled-back', verdict: { kind: 'failed', why: 'harm' } });
    expect(await world.work(100, 0.95)).toEqual(new Set(['none']));
    await world.loop.close();
  });

  it('stays as it is in a process that does not know it, whose tasks draw no arm', async () => {
    const world = new World();
    await world.work(50, 0.1);
    await world.loop.approve(world.fix.id, { by: 'ann' });
    await world.loop.runCycle();
    const { status, trial } = world.fix;
    await world.loop.close();
    world.loop = world.open([]);
    await world.loop.ready();
    const { arms, given, end } = world.loop.begin('summarize');
    end({ success: true });
    expect([status, arms, given]).toEqual(['trial', [], []]);
    await world.work(100, 0.1);
    expect(world.fix).toMatchObject({ status: 'trial', trial });
    expect(describeFix(world.loop, world.fix).title).toBe('my.prompt: system');
    await world.loop.close();
  });

  it('needs a name of its own', () => {
    const twice = [promptKind({}), promptKind({})];
    expect(() => new RSILoop({ kinds: twice })).toThrow('kinds has "my.prompt" twice: give each kind its own name');
    expect(() => new RSILoop({ kinds: [{ kind: 'my.prompt' } as unknown as ChangeKind] })).toThrow(
      'kinds is a list: give',
    );
  });
});
