import { jsonSchema, tool } from 'ai';
import { RSILoop } from 'rsi-loop';
import { tools } from 'rsi-loop/clients/tools';
import { proveSet } from 'rsi-loop/prove';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MemoryStudyLog } from '../../../integrations/prove/memory-study-log.js';
import { seededRandom } from '../../../src/lib/random.js';

const properties = { query: { type: 'string', description: 'words of the question' } } as const;
const described = (description: string) =>
  tool({ description, inputSchema: jsonSchema({ type: 'object', properties }), execute: async () => 'done' });

/** Six tools: one helps the agent, one misleads it, one names a danger, the others do nothing. */
const TOOLS = () => ({
  search: described('finds invoices'),
  guess: described('guesses an amount'),
  clock: described('the time'),
  weather: described('the weather'),
  colors: described('names of colors'),
  pay: described('pays an invoice in production'),
});

const SKILLS = [
  { name: 'pdf', description: 'reads PDF files' },
  { name: 'tone', description: 'how to write to customers' },
];

afterEach(() => vi.unstubAllEnvs());

async function world() {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const random = seededRandom(4);
  const loop = new RSILoop({ clock, random: seededRandom(9) });
  const log = new MemoryStudyLog();
  const study = await proveSet(loop, 'invoice tools', tools(loop, TOOLS(), { describe: true }), { log });
  /** Runs a session of two tasks, whose failures depend on the tools that they get. */
  const live = async (session: string) => {
    const set = await study.begin(session);
    for (let task = 0; task < 2; task++) {
      await clock.advance(1_000);
      const risk = 0.45 + (set.search ? -0.3 : 0) + (set.guess ? 0.35 : 0);
      loop.begin('answer', { session }).end({ success: random() >= risk });
    }
    loop.endSession(session);
    return Object.keys(set);
  };
  return { loop, log, study, live };
}

describe('proveSet', () => {
  it('names the tools that help and harm, from the tasks of the sessions that got them', async () => {
    const { loop, study, live } = await world();
    for (let session = 0; session < 300; session++) await live(`s${session}`);
    const { lines, sessions, waiting } = await study.report();
    expect([sessions, waiting]).toEqual([300, 0]);
    expect(lines.map(({ text, verdict }) => [text, verdict])).toEqual([
      ['search', 'helps'],
      ['guess', 'harms'],
      ['clock', 'undecided'],
      ['weather', 'undecided'],
      ['colors', 'undecided'],
    ]);
    // Name, description and parameters are sent with each call of the model.
    expect(lines[0]?.tokens).toBeGreaterThan(20);
    for (const session of ['next', 'and the one after']) {
      const names = await live(session);
      expect(names).toEqual(expect.arrayContaining(['search', 'pay']));
      expect(names).not.toContain('guess');
    }
    await loop.close();
  });

  it('gives a session the same tools again, and says which it got', async () => {
    const { loop, log, study, live } = await world();
    const given = new Map<string, readonly string[]>();
    for (let session = 0; session < 30; session++) given.set(`s${session}`, await live(`s${session}`));
    expect(new Set([...given.values()].map(String)).size).toBeGreaterThan(15);
    expect(study.members.at(-1)).toMatchObject({ name: 'pay', kept: 'safety' });
    const again = await proveSet(loop, 'invoice tools', TOOLS(), { log });
    for (const [session, names] of given) {
      expect(study.offered(session)).toEqual(names);
      expect(Object.keys(await again.begin(session))).toEqual(names);
    }
    expect(study.offered('never begun')).toHaveLength(6);
    await loop.close();
  });

  it('takes a list of skills or of names, and returns such a list', async () => {
    const loop = new RSILoop();
    const skills = await proveSet(loop, 'skills', SKILLS, { seed: 1, share: 0.5 });
    const names = await proveSet(loop, 'names', ['pdf', 'tone'], { seed: 1, keep: ['tone'] });
    for (let session = 0; session < 20; session++) {
      const got = await skills.begin(`s${session}`);
      expect(got).toEqual(SKILLS.filter(({ name }) => skills.offered(`s${session}`).includes(name)));
      expect([['tone'], ['pdf', 'tone']]).toContainEqual(await names.begin(`s${session}`));
    }
    await loop.close();
  });

  it('goes on when the set has a new member, and keeps one that a person marks meanwhile', async () => {
    const loop = new RSILoop();
    const log = new MemoryStudyLog();
    await proveSet(loop, 'skills', SKILLS, { log, seed: 1 });
    const more = [...SKILLS, { name: 'excel', description: 'reads sheets' }];
    const study = await proveSet(loop, 'skills', more, { log, keep: ['tone'] });
    expect(study.members.map(({ kept }) => kept)).toEqual([undefined, 'marked', 'limit']);
    const drawn = await Promise.all(Array.from({ length: 20 }, (_, session) => study.begin(`s${session}`)));
    expect(new Set(drawn.map((set) => set.map(({ name }) => name).join(' ')))).toEqual(
      new Set(['tone excel', 'pdf tone excel']),
    );
    await loop.close();
  });

  it('leaves nothing out while the loop is frozen, and does not count these sessions', async () => {
    vi.stubEnv('RSI_FREEZE', '1');
    const { loop, study, live } = await world();
    expect(await live('s1')).toHaveLength(6);
    expect(await study.report()).toMatchObject({ sessions: 0, waiting: 0 });
    await loop.close();
  });

  it('refuses sets that it cannot try, with what to do', async () => {
    const loop = new RSILoop();
    const say = (set: object, options = {}) => proveSet(loop, 'skills', set, options);
    await expect(say([{ description: 'x' }])).rejects.toThrow(/member 1 of the set is .*: give each a name/);
    await expect(say(['pdf', 'pdf'])).rejects.toThrow('two members called "pdf": give each its own name');
    await expect(say(['pdf'], { keep: ['tone'] })).rejects.toThrow(
      'keep names "tone", which is not in the set: use pdf',
    );
    await expect(say(['pdf'], { keep: ['pdf'] })).rejects.toThrow('everything is kept');
    await expect(say([])).rejects.toThrow('nothing to prove');
    const log = new MemoryStudyLog();
    await say(SKILLS, { log });
    await expect(say(['pdf'], { log })).rejects.toThrow('the study skills tries tone, which is not in the set');
    await loop.close();
  });
});
