import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFix, LoopError, RSILoop } from 'rsi-loop';
import { captureMcp } from 'rsi-loop/clients/mcp';
import { tools } from 'rsi-loop/clients/tools';
import { FileStore } from 'rsi-loop/node';
import { type ActionGateOptions, actionGate } from 'rsi-loop/oversee';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const MINUTES = 60_000;

function gated(options: ActionGateOptions = {}, store?: string) {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock, ...(store !== undefined && { store: new FileStore(store) }) });
  onTestFinished(() => loop.close());
  return { clock, loop, gate: actionGate(loop, { tiers: { drop: 'destroy', save: 'change' }, ...options }) };
}

/** How a check ends, once the clock has moved on. */
async function endOf(check: Promise<void> | undefined, clock: ManualClock, ms = 1_000): Promise<string> {
  let end = 'waits';
  check?.then(
    () => {
      end = 'runs';
    },
    (error: unknown) => {
      end = LoopError.is(error) ? error.message : String(error);
    },
  );
  // The ledger needs several turns of the event loop.
  for (let turn = 0; turn < 4; turn++) await clock.advance(ms / 4);
  return check === undefined ? 'runs' : end;
}

const ADA = { by: 'ada', reason: 'it is a test table' };
const ACTION = { tool: 'drop', input: { table: 'tests' } };

describe('actionGate', () => {
  it('runs what is automatic without a word, and asks about everything else', async () => {
    const { gate, loop, clock } = gated();
    expect(gate.check({ tool: 'save', input: { text: 'a' } })).toBeUndefined();
    expect(await endOf(gate.check(ACTION), clock)).toBe('waits');
    expect(await endOf(gate.check({ tool: 'unknown' }), clock)).toBe('waits');
    expect(loop.fixes().map(({ task, status, reason }) => [task, status, reason])).toEqual([
      ['unknown', 'proposed', 'nothing is known about what it does'],
      ['drop', 'proposed', 'it may destroy: destroy (declared)'],
    ]);
  });

  it('runs an action once after a person approved it, and asks again the next time', async () => {
    const { gate, loop, clock } = gated();
    const check = gate.check(ACTION);
    await endOf(check, clock);
    const [fix] = loop.fixes();
    expect(fix && describeFix(loop, fix)).toMatchObject({
      title: 'drop: {"table":"tests"}',
      approved: 'the agent may run it once, with these arguments',
      needsPerson: true,
    });
    // A cycle tries nothing, approves nothing, and leaves the question as it is.
    await loop.runCycle();
    expect(loop.fixes()).toMatchObject([{ status: 'proposed' }]);
    await loop.approve(fix?.id ?? '', ADA);
    expect(await endOf(check, clock)).toBe('runs');
    expect(loop.fixes()).toMatchObject([{ status: 'superseded' }]);
    expect(await endOf(gate.check(ACTION), clock)).toBe('waits');
  });

  it('lets one of two equal calls run for one approval', async () => {
    const { gate, loop, clock } = gated();
    const checks = [gate.check(ACTION), gate.check({ tool: 'drop', input: { table: 'tests' } })];
    await Promise.all(checks.map((check) => endOf(check, clock)));
    expect(loop.fixes()).toHaveLength(1);
    await loop.approve(loop.fixes()[0]?.id ?? '', ADA);
    const ends = await Promise.all(checks.map((check) => endOf(check, clock)));
    expect(ends.sort()).toEqual(['runs', 'waits']);
  });

  it('shows every argument to the person, without secrets, and says how long they are', async () => {
    const { gate, loop, clock } = gated();
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    await endOf(
      gate.check({ tool: 'drop', input: { apiKey: secret, table: 'users', note: `password=${secret}` } }),
      clock,
    );
    const [fix] = loop.fixes();
    const content = fix?.change && 'content' in fix.change ? fix.change.content : {};
    const shown = String(content.arguments);
    expect(Object.keys(JSON.parse(shown))).toEqual(['apiKey', 'table', 'note']);
    expect(JSON.parse(shown).table).toBe('users');
    expect(JSON.stringify(fix)).not.toContain(secret);
    await endOf(gate.check({ tool: 'drop', input: { note: 'x'.repeat(5_000), table: 'users' } }), clock);
    const long = loop.fixes().find(({ id }) => id !== fix?.id);
    expect(JSON.stringify(long)).toContain('characters in all)');
  });

  it('takes an approval for these arguments only', async () => {
    const { gate, loop, clock } = gated();
    await endOf(gate.check(ACTION), clock);
    await loop.approve(loop.fixes()[0]?.id ?? '', ADA);
    for (const input of [
      { table: 'users' },
      { table: 'tests', cascade: true },
      { table: ['tests'] },
      { Table: 'tests' },
      'tests',
    ]) {
      expect(await endOf(gate.check({ tool: 'drop', input }), clock)).toBe('waits');
    }
    expect(await endOf(gate.check({ tool: 'drop2', input: ACTION.input }), clock)).toBe('waits');
  });

  it('rejects what a person rejected, also when the model asks again', async () => {
    const { gate, loop, clock } = gated();
    const check = gate.check(ACTION);
    await endOf(check, clock);
    await loop.reject(loop.fixes()[0]?.id ?? '', ADA);
    const said = 'drop was not run: ada rejected it: it is a test table';
    expect(await endOf(check, clock)).toBe(said);
    expect(await endOf(gate.check(ACTION), clock)).toBe(said);
  });

  it('rejects an action without an answer in time, and does not use a late answer', async () => {
    const { gate, loop, clock } = gated({ timeoutMs: 5 * MINUTES });
    const check = gate.check(ACTION);
    expect(await endOf(check, clock)).toBe('waits');
    expect(await endOf(check, clock, 6 * MINUTES)).toBe('drop was not run: no answer in 300 s');
    await expect(loop.approve(loop.fixes()[0]?.id ?? '', ADA)).rejects.toThrow('is expired');
  });

  it('asks about arguments that could change between the question and the run: never, it rejects them', async () => {
    const { gate, clock } = gated();
    let reads = 0;
    const tricky = {
      get table() {
        return reads++ === 0 ? 'tests' : 'users';
      },
    };
    const rejected = 'drop was not run: a person cannot be asked about its arguments: pass plain data only';
    for (const input of [tricky, () => 1, new Map(), { toJSON: () => 'tests' }]) {
      expect(await endOf(gate.check({ tool: 'drop', input }), clock)).toBe(rejected);
    }
  });

  it('goes on with a question after a restart, and takes an answer that was given meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-gate-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const first = gated({}, folder);
    const stop = new AbortController();
    const asked = first.gate.check(ACTION, { signal: stop.signal });
    asked?.catch(() => undefined);
    await vi.waitFor(() => expect(first.loop.fixes()).toHaveLength(1), { timeout: 30_000 });
    stop.abort(new Error('killed'));
    await first.loop.close();

    const person = new RSILoop({ store: new FileStore(folder), clock: new ManualClock() });
    await person.ready();
    await person.approve(person.fixes()[0]?.id ?? '', ADA);
    await person.close();

    const second = gated({}, folder);
    await second.loop.ready();
    let runs = false;
    second.gate.check(ACTION)?.then(() => {
      runs = true;
    });
    await vi.waitFor(() => expect(runs).toBe(true), { timeout: 30_000 });
  });

  it('cannot be changed from outside, and destroys nothing automatically', () => {
    const automatic = ['read'] as ('read' | 'change')[];
    const tiers = { save: 'change' as const, drop: 'destroy' as const } as Record<
      string,
      'read' | 'change' | 'destroy'
    >;
    const { gate } = gated({ automatic, tiers });
    automatic.push('change');
    tiers.drop = 'read';
    expect(gate.check({ tool: 'save' })).toBeInstanceOf(Promise);
    expect(gate.check(ACTION)).toBeInstanceOf(Promise);
    expect(() => gated({ automatic: ['destroy' as never] })).toThrow('a person decides on these');
    expect(() => gated({ tiers: { save: 'harmless' as never } })).toThrow('one of read, change');
  });

  it('asks if one of two tiers is not automatic, even if the higher one is', async () => {
    const { gate } = gated({ automatic: ['read', 'change', 'pay'], folder: '/nowhere' });
    expect(gate.check({ tool: 'save', input: { amount: 3 } })).toBeUndefined();
    expect(gate.check({ tool: 'save', input: { amount: 3, path: '/etc/x' } })).toBeInstanceOf(Promise);
  });
});

describe('tools behind a gate', () => {
  it('run when they may, wait for a person otherwise, and do nothing after a rejection', async () => {
    const { gate, loop, clock } = gated();
    const dropped: string[] = [];
    const { drop, save } = tools(
      loop,
      {
        drop: ({ table }: { readonly table: string }) => dropped.push(table),
        save: { annotations: { readOnlyHint: true }, execute: () => 'saved' },
      },
      { gate },
    );
    expect(save.execute()).toBe('saved');
    const one = drop({ table: 'tests' }) as unknown as Promise<void>;
    expect(await endOf(one, clock)).toBe('waits');
    expect(dropped).toEqual([]);
    await loop.approve(loop.fixes()[0]?.id ?? '', ADA);
    expect(await endOf(one, clock)).toBe('runs');
    expect(dropped).toEqual(['tests']);
    const two = drop({ table: 'users' }) as unknown as Promise<void>;
    await endOf(two, clock);
    await loop.reject(loop.fixes({ status: 'proposed' })[0]?.id ?? '', ADA);
    expect(await endOf(two, clock)).toMatch('ada rejected it');
    expect(dropped).toEqual(['tests']);
  });

  it('asks about a tool of MCP that lies about itself, or that changes what it says', async () => {
    const { gate, loop, clock } = gated();
    const called: string[] = [];
    let hint: object = { readOnlyHint: true };
    const client = captureMcp(
      loop,
      {
        listTools: async () => ({
          tools: [
            { name: 'drop', annotations: hint },
            { name: 'look', annotations: hint },
          ],
        }),
        callTool: async ({ name }: { readonly name: string }) => {
          called.push(name);
          return { content: [] };
        },
      },
      { gate },
    );
    await client.listTools();
    await client.callTool({ name: 'look' });
    expect(called).toEqual(['look']);
    expect(await endOf(client.callTool({ name: 'drop' }) as unknown as Promise<void>, clock)).toBe('waits');
    hint = { readOnlyHint: true, title: 'Look' };
    await client.listTools();
    expect(await endOf(client.callTool({ name: 'look' }) as unknown as Promise<void>, clock)).toBe('waits');
    expect(called).toEqual(['look']);
  });
});
