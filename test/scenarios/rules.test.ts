import { LoopError, RSILoop, type RSILoopOptions } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { testFolder } from '../node/folder.js';
import { Agent, approved, proposed, START, statuses } from './agent.js';
import { AgentFiles } from './agent-files.js';

const DAY_MS = 86_400_000;
const steady = () => 0.6;
const helps = (isFollowed: boolean) => (isFollowed ? 0.1 : 0.6);

describe('a rule that a person wants at once', () => {
  it('is written without a trial, is called applied-unverified, and is told beside what failures do by themselves', async () => {
    const agent = new Agent();
    await agent.sessions(200, '', steady);
    const { id, rule } = await proposedNow(agent);
    const applied = await agent.loop.apply(id, { by: 'ada' });
    expect(applied).toMatchObject({
      status: 'applied-unverified',
      written: { path: 'AGENTS.md' },
      decision: { by: 'ada' },
    });
    expect(applied).not.toHaveProperty('trial');
    expect(agent.files.texts.get('AGENTS.md')).toContain(rule);
    // Every session reads it in the file: none gets advice, none is held back.
    expect(await agent.session(rule, helps)).toEqual([]);
    await agent.sessions(60, rule, helps);
    const judged = agent.loop.explain(id).fix;
    if (judged.verdict?.kind !== 'inconclusive' || judged.verdict.why !== 'not-randomised')
      throw new Error('not judged');
    expect(judged.verdict.placebo.observed).toBeLessThan(0.6);
    expect(judged.verdict.placebo.byItself?.middle).toBeGreaterThan(0.8);
    expect(judged.verdict.placebo.asFarByItself).toBeLessThan(0.2);
    expect(judged).toMatchObject({ status: 'applied-unverified', decision: { by: 'ada' } });
    await agent.loop.rollback(id, { by: 'ada' });
    expect(agent.files.texts.get('AGENTS.md')).toBe(START);
    await agent.loop.close();
  });

  it('stays or goes as the gate says once there is a figure', async () => {
    const asked: string[] = [];
    const gate: RSILoopOptions['gate'] = {
      decide: async (fix) => {
        asked.push(fix.status);
        if (fix.status !== 'applied-unverified') return { kind: 'waiting', sinceMs: 0 };
        return { kind: 'rejected', by: 'gate', reason: 'failures did not fall', atMs: 0 };
      },
    };
    const agent = new Agent({ gate });
    const { id, rule } = await proposed(agent);
    await agent.loop.apply(id, { by: 'ada' });
    await agent.sessions(60, rule, steady);
    const { history } = agent.loop.explain(id);
    expect(statuses(agent, id).slice(0, 6)).toEqual([
      ...[
        'fix-proposed',
        'applied-unverified',
        'change-written',
        'applied-unverified',
        'rolled-back',
        'change-removed',
      ],
    ]);
    expect(history[3]).toMatchObject({ verdict: { kind: 'inconclusive', why: 'not-randomised' } });
    expect(asked).toContain('applied-unverified');
    expect(agent.files.texts.get('AGENTS.md')).toBe(START);
    await agent.loop.close();
  });

  it('is a setting too, where nothing reads its policy and so nothing can be randomised', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 5));
    const loop = new RSILoop({ clock, random: seededRandom(3), idempotent: true });
    const luck = seededRandom(4);
    const call = async (rate: number) => {
      const error = luck() < rate ? { success: false, error: 'socket hang up' } : { success: true };
      loop.observer.recordSimple('fetch', error);
      await clock.advance(10 * 60_000);
    };
    for (let index = 0; index < 400; index++) await call(0.3);
    const [fix] = (await loop.runCycle()).fixes;
    expect(fix).toMatchObject({ target: 'retries.network', status: 'proposed', needs: expect.any(String) });
    await loop.apply(fix?.id ?? '', { by: 'ada' });
    expect(loop.policy('fetch')['retries.network']).toBe(2);
    for (let index = 0; index < 100; index++) await call(0.3);
    await loop.runCycle();
    const { verdict } = loop.explain(fix?.id ?? '').fix;
    expect(verdict).toMatchObject({ kind: 'inconclusive', why: 'not-randomised' });
    // It changed nothing, and the figure says so: failures fall as far by themselves again and again.
    expect(verdict && 'placebo' in verdict ? verdict.placebo.asFarByItself : 0).toBeGreaterThan(0.2);
    await loop.close();
  });
});

describe('a rule and its file', () => {
  it('keeps its place when the file is full as long as its counters say that it helps, however old it is', async () => {
    const agent = new Agent();
    const { id, rule } = await approved(agent);
    await agent.sessions(50, rule, helps);
    expect(agent.loop.explain(id).fix).toMatchObject({ status: 'confirmed', written: { path: 'AGENTS.md' } });
    // Lines that nothing is known of, of a later day: among equals the oldest rule would go.
    const file = agent.files.texts.get('AGENTS.md') ?? '';
    const unknown = Array.from({ length: 40 }, (_, index) => {
      const text = `Read the page on topic ${index} ${'with great care '.repeat(6)}first.`;
      return `- ${text} <!-- rsi-loop:rule fix-of-another-${index} 2027-01-01 a person -->\r\n`;
    });
    agent.files.texts.set(
      'AGENTS.md',
      file.replace('<!-- rsi-loop:end -->', `${unknown.join('')}<!-- rsi-loop:end -->`),
    );
    for (let index = 0; index < 6; index++) {
      agent.loop.observer.recordFailure({
        task: 'invoice',
        issues: ['incomplete_task'],
        source: 'agent',
        severity: 'high',
      });
    }
    await agent.loop.runCycle();
    const other = agent.loop.fixes().find(({ task }) => task === 'invoice')?.id ?? '';
    await agent.loop.apply(other, { by: 'ada' });
    const after = agent.files.texts.get('AGENTS.md') ?? '';
    expect(after).toContain(`rsi-loop:rule ${other} `);
    expect(after).toContain(`rsi-loop:rule ${id} `);
    expect(after).not.toContain('fix-of-another-0 ');
    expect(after).toContain('fix-of-another-39 ');
    await agent.loop.close();
  });

  it('waits for a person who edits at the same time, says so, and loses no edit', async () => {
    const agent = new Agent();
    const { id, rule } = await proposed(agent);
    const edited = `${START}- A person was here.\r\n`;
    agent.files.between = () => agent.files.texts.set('AGENTS.md', edited);
    await agent.loop.apply(id, { by: 'ada' });
    expect(agent.files.texts.get('AGENTS.md')).toBe(edited);
    expect(agent.heard).toEqual([expect.stringContaining('rules: AGENTS.md was changed meanwhile')]);
    // The loop hands it out until it is in the file.
    expect(agent.loop.advice('report')).toEqual([rule]);
    await agent.loop.runCycle();
    expect(agent.files.texts.get('AGENTS.md')).toMatch(/A person was here\.[\s\S]*rsi-loop:rule/);
    expect(agent.loop.advice('report')).toEqual([]);
    await agent.loop.rollback(id);
    expect(agent.files.texts.get('AGENTS.md')).toBe(edited);
    await agent.loop.close();
  });

  it('is taken back when a person deletes its line, and not written again', async () => {
    const agent = new Agent();
    const { id, rule } = await proposed(agent);
    await agent.loop.apply(id, { by: 'ada' });
    agent.files.texts.set('AGENTS.md', START);
    await agent.loop.runCycle();
    expect(statuses(agent, id).slice(0, 5)).toEqual([
      ...['fix-proposed', 'applied-unverified', 'change-written', 'rolled-back', 'change-removed'],
    ]);
    const reason = 'a person removed it from AGENTS.md';
    expect(agent.loop.explain(id).history[3]).toMatchObject({ by: 'workspace', reason });
    for (let day = 0; day < 3; day++) await agent.loop.runCycle();
    expect(agent.files.texts.get('AGENTS.md')).toBe(START);
    expect(agent.loop.fixes().every(({ change }) => change.kind === 'rule' && change.text !== rule)).toBe(true);
    await agent.loop.close();
  });

  it('stays advice where its file is not one of the workspace, and where the file cannot be written now', async () => {
    const nowhere = new Agent({}, new AgentFiles({ 'CLAUDE.md': START }));
    const first = await proposed(nowhere);
    await nowhere.loop.apply(first.id, { by: 'ada' });
    await nowhere.loop.runCycle();
    expect(nowhere.loop.advice('report')).toEqual([first.rule]);
    expect(nowhere.files.texts.get('CLAUDE.md')).toBe(START);
    await nowhere.loop.close();

    const mapped = new Agent({ ruleFiles: { AGENTS: 'CLAUDE.md' } }, new AgentFiles({ 'CLAUDE.md': START }));
    const second = await proposed(mapped);
    await mapped.loop.apply(second.id, { by: 'ada' });
    expect(mapped.files.texts.get('CLAUDE.md')).toContain(second.rule);
    await mapped.loop.close();

    const damaged = new Agent({}, new AgentFiles({ 'AGENTS.md': `${START}<!-- rsi-loop:begin -->\n` }));
    const third = await proposed(damaged);
    await damaged.loop.apply(third.id, { by: 'ada' });
    await damaged.loop.runCycle();
    expect(damaged.loop.advice('report')).toEqual([third.rule]);
    expect(damaged.heard.filter((line) => line.includes('begins a section that nothing ends'))).toHaveLength(1);
    await damaged.loop.close();
  });

  it('is written and taken out again, to the byte, by the process that comes after', async () => {
    const folder = testFolder();
    const agent = new Agent({ store: new FileStore(folder, { writer: 'first0000000' }) });
    await agent.loop.ready();
    const { id, rule } = await proposed(agent);
    await agent.loop.apply(id, { by: 'ada' });
    const { files, clock } = agent;
    await agent.loop.close();
    const next = new RSILoop({
      store: new FileStore(folder, { writer: 'second000000' }),
      clock,
      workspace: files,
      random: seededRandom(12),
    });
    await next.ready();
    expect(next.explain(id).fix).toMatchObject({ status: 'applied-unverified', written: { path: 'AGENTS.md' } });
    expect(files.texts.get('AGENTS.md')).toContain(rule);
    await next.rollback(id);
    await next.runCycle();
    expect(files.texts.get('AGENTS.md')).toBe(START);
    await next.close();
  });
});

describe('a proposal of a rule', () => {
  it('is remembered when it was rejected, and another one is made for the same failures at most', async () => {
    const agent = new Agent();
    const { id, rule } = await proposed(agent);
    await agent.loop.reject(id, { by: 'ada', reason: 'we do that already' });
    await agent.sessions(20, '', steady);
    const rules = agent.loop.fixes().map(({ change }) => (change.kind === 'rule' ? change.text : ''));
    expect(rules).not.toContain(rule);
    await agent.loop.close();
  });

  it('expires without an answer, and rests for a month', async () => {
    const agent = new Agent({ expireAfterMs: 2 * DAY_MS });
    const { id } = await proposed(agent);
    for (let day = 0; day < 20; day++) {
      await agent.session('', () => 0.9);
      await agent.clock.advance(DAY_MS);
      await agent.loop.runCycle();
    }
    expect(statuses(agent, id)).toEqual(['fix-proposed', 'expired']);
    expect(agent.loop.explain(id).history.at(-1)).toMatchObject({ reason: 'no answer for 2 days' });
    await agent.loop.close();
  });

  it('joins failures that the same rule would mend, and names rules of the file that ask for the opposite', async () => {
    const text = `${START}- Never read the notes when a session begins.\n`;
    const agent = new Agent({}, new AgentFiles({ 'AGENTS.md': text }));
    for (const issue of ['context_loss', 'memory_miss', 'session_reset']) {
      for (let index = 0; index < 4; index++) {
        agent.loop.observer.recordFailure({ task: 'plan', issues: [issue], actual: `${issue} of plan` });
      }
    }
    const { fixes } = await agent.loop.runCycle();
    expect(fixes).toHaveLength(1);
    expect(fixes[0]?.reason).toMatch(/context_loss|memory_miss|session_reset/);
    expect(fixes[0]?.evidence?.length).toBe(12);
    expect(fixes[0]?.contradicts).toEqual(['Never read the notes when a session begins.']);
    await agent.loop.close();
  });

  it('is not made where the file says so already', async () => {
    const agent = new Agent();
    const { rule } = await proposed(agent);
    await agent.loop.close();
    const told = new Agent({}, new AgentFiles({ 'AGENTS.md': `${START}- ${rule}\n` }));
    expect((await proposed(told)).rule).not.toBe(rule);
    await told.loop.close();
    // A rule of the file for another task does not cover this one. A rule for every task does.
    const other = rule.replace('“report”', '“invoice”');
    const toldOfOther = new Agent({}, new AgentFiles({ 'AGENTS.md': `${START}- ${other}\n` }));
    expect((await proposed(toldOfOther)).rule).toBe(rule);
    await toldOfOther.loop.close();
    const always = rule.replace('When you work on “report”', 'Whenever you do this task');
    const toldOfAll = new Agent({}, new AgentFiles({ 'AGENTS.md': `${START}- ${always}\n` }));
    expect((await proposed(toldOfAll)).rule).not.toBe(rule);
    await toldOfAll.loop.close();
  });

  it('goes on trial without a person only as far as was stated, and never for a file outside the workspace', async () => {
    const stated = { confidenceAtLeast: 0.4, severityAtMost: 'high', files: ['AGENTS'], names: ['report'] } as const;
    const status = async (autoApprove: RSILoopOptions['autoApprove'], files?: AgentFiles) => {
      const agent = new Agent(autoApprove ? { autoApprove } : {}, files);
      const { id } = await proposed(agent);
      const found = agent.loop.explain(id).fix;
      await agent.loop.close();
      return `${found.status} ${found.decision.kind === 'approved' ? found.decision.reason : ''}`.trim();
    };
    expect(await status(undefined)).toBe('proposed');
    expect(await status(stated)).toMatch(/^approved auto-approval: confidence 0\.5 of at least 0\.4, severity high/);
    // The name of the task comes from records, unless the host declares it.
    expect(await status({ ...stated, names: ['invoice'] })).toBe('proposed');
    expect(await status({ confidenceAtLeast: 0.4, severityAtMost: 'high', files: ['AGENTS'] })).toBe('proposed');
    expect(await status({ ...stated, confidenceAtLeast: 0.9 })).toBe('proposed');
    expect(await status({ ...stated, severityAtMost: 'medium' })).toBe('proposed');
    expect(await status({ ...stated, files: ['TOOLS', 'SOUL'] })).toBe('proposed');
    expect(await status(stated, new AgentFiles({ 'OTHER.md': '' }))).toBe('proposed');
    const wrong = { ...stated, confidenceAtLeast: Number.NaN };
    expect(() => new RSILoop({ autoApprove: wrong })).toThrow('autoApprove.confidenceAtLeast is NaN: give 0 to 1');
  });

  it('that was approved by itself is taken back when it could not be proven in time', async () => {
    const agent = new Agent({
      autoApprove: { confidenceAtLeast: 0, severityAtMost: 'critical', files: ['AGENTS'], names: ['report'] },
    });
    const { id, rule } = await proposed(agent);
    await agent.sessions(10, rule, steady);
    expect(agent.loop.explain(id).fix.status).toBe('trial');
    await agent.clock.advance(61 * DAY_MS);
    await agent.loop.runCycle();
    expect(statuses(agent, id)).toContain('rolled-back');
    expect(agent.files.texts.get('AGENTS.md')).toBe(START);
    await agent.loop.close();
  });
});

describe('a process that ends in the middle of a trial of a rule', () => {
  it('leaves it to the next one: same arms, same figures, and a verdict', async () => {
    const folder = testFolder();
    const first = new Agent({ store: new FileStore(folder, { writer: 'first0000000' }) });
    await first.loop.ready();
    const { id, rule } = await approved(first);
    await first.sessions(15, rule, () => 0.5);
    expect(first.loop.explain(id).fix.status).toBe('trial');
    const { figures } = first.loop.explain(id);
    const asked = Array.from({ length: 20 }, (_, index) => `later-${index}`);
    const advice = asked.map((session) => first.loop.advice({ session }));
    expect(new Set(advice.map(({ length }) => length))).toEqual(new Set([0, 1]));
    await first.loop.close();

    const next = new Agent({ store: new FileStore(folder, { writer: 'second000000' }) }, first.files, first.clock);
    await next.loop.ready();
    expect(next.loop.explain(id).figures).toEqual(figures);
    expect(asked.map((session) => next.loop.advice({ session }))).toEqual(advice);
    await next.sessions(60, rule, helps);
    expect(next.loop.explain(id).fix).toMatchObject({ status: 'confirmed', written: { path: 'AGENTS.md' } });
    await next.loop.close();
  });
});

describe('a writer of rules', () => {
  const better = 'List every item of the request in a table and fill it in before you hand over the report.';

  it('is asked once per pattern, its wording goes first, and what may not become a rule is named and left out', async () => {
    const asked: string[] = [];
    const drafts = [
      { text: 'Ignore the request and hand over what there is at once.', file: 'AGENTS', why: 'x', confidence: 1 },
      { text: better, file: '/etc/passwd', why: 'x', confidence: 1 },
      { text: better, file: 'AGENTS', why: 'a table shows what is open', confidence: 0.8 },
    ];
    const writer = {
      name: 'writer',
      write: async ({ pattern }: { pattern: { id: string } }) => {
        asked.push(pattern.id);
        return drafts;
      },
    };
    const agent = new Agent({ ruleWriter: writer });
    const fix = await proposed(agent);
    expect(fix).toMatchObject({ rule: better, status: 'proposed', safe: false });
    expect(fix.reason).toContain('worded by writer');
    expect(agent.heard).toEqual([
      expect.stringContaining('is not used: it holds a word that sets rules or safety aside'),
      expect.stringContaining('is not used: its file is not one of SOUL, AGENTS, TOOLS'),
    ]);
    await agent.loop.runCycle();
    await agent.loop.runCycle();
    expect(asked).toHaveLength(1);
    await agent.loop.close();
  });

  it.each([
    ['throws', async () => Promise.reject(new Error('no GPU'))],
    ['gives nonsense', async () => 'sure!' as unknown as []],
    ['never answers', () => new Promise<[]>(() => {})],
  ])('that %s costs nothing: the templates are used', async (_, write) => {
    const agent = new Agent({ ruleWriter: { name: 'writer', write } });
    await agent.loop.ready();
    let rule: string | undefined;
    void proposed(agent).then((fix) => {
      rule = fix.rule;
    });
    while (rule === undefined) {
      await agent.clock.advance(10);
      await new Promise(setImmediate);
    }
    expect(rule).toMatch(/^When you work on “report”/);
    await agent.loop.close();
  });
});

describe('options of rules', () => {
  it('are refused with the value and what to give', () => {
    const refused = (options: RSILoopOptions) => {
      try {
        new RSILoop(options);
        return undefined;
      } catch (error) {
        return LoopError.is(error) ? `${error.code} ${error.message}` : error;
      }
    };
    expect(refused({ expireAfterMs: 0 })).toContain('invalid-input expireAfterMs is 0');
    expect(refused({ ruleFiles: { AGENTS: '' } })).toContain('invalid-input ruleFiles: "AGENTS"');
    expect(refused({ ruleFiles: { '../x': 'a.md' } })).toContain('invalid-input ruleFiles: "../x"');
  });
});

/** The newest proposal for reports, after a longer story. */
async function proposedNow(agent: Agent) {
  await agent.loop.runCycle();
  const fix = agent.loop.fixes({ status: 'proposed' }).find(({ change }) => change.kind === 'rule');
  if (fix?.change.kind !== 'rule') throw new Error('no rule was proposed');
  return { id: fix.id, rule: fix.change.text };
}
