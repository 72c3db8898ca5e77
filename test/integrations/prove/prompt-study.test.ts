import { RSILoop } from 'rsi-loop';
import { namedTexts } from 'rsi-loop/prompts';
import { provePrompt } from 'rsi-loop/prove';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { MemoryStudyLog } from '../../../integrations/prove/memory-study-log.js';
import { seededRandom } from '../../../src/lib/random.js';

const SYSTEM = `You read invoices for {{customer}}.

- Answer with cents.
- Guess what you cannot read.
- Be polite.
- Write short answers.
`;

async function world() {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const random = seededRandom(4);
  const loop = new RSILoop({ clock, random: seededRandom(9), prompts: namedTexts({ system: { text: SYSTEM } }) });
  const log = new MemoryStudyLog();
  const study = await provePrompt(loop, 'system', { log });
  /** Runs a session of two tasks, whose failures depend on the text that they get. */
  const live = async (session: string) => {
    await study.begin(session);
    const sent: string[] = [];
    for (let task = 0; task < 2; task++) {
      await clock.advance(1_000);
      const { prompts, end } = loop.begin('answer', { session });
      const text = prompts.system ?? '';
      sent.push(text);
      const risk = 0.45 + (text.includes('cents') ? -0.3 : 0) + (text.includes('Guess') ? 0.35 : 0);
      end({ success: random() >= risk, tokens: { input: text.length, output: 5 } });
    }
    loop.endSession(session);
    return sent;
  };
  return { clock, loop, log, study, live };
}

describe('provePrompt', () => {
  it('names the lines of a prompt that help and harm, from the tasks of its sessions', async () => {
    const { loop, study, live } = await world();
    for (let session = 0; session < 300; session++) await live(`s${session}`);
    const { lines, sessions, waiting } = await study.report();
    expect([sessions, waiting]).toEqual([300, 0]);
    expect(lines.map(({ text, verdict }) => [text.trim(), verdict])).toEqual([
      ['- Answer with cents.', 'helps'],
      ['- Guess what you cannot read.', 'harms'],
      ['- Be polite.', 'undecided'],
      ['- Write short answers.', 'undecided'],
    ]);
    // The program fills this line in.
    expect(study.lines[0]).toMatchObject({ text: 'You read invoices for {{customer}}.\n', kept: 'structure' });
    expect(lines[0]?.costs.tokens?.with).toBeGreaterThan(lines[0]?.costs.tokens?.without ?? 0);
    expect(loop.prompt('system')).toBe(SYSTEM);
    await loop.close();
  });

  it('gives all tasks of a session the same text, and shows it by prompt()', async () => {
    const { loop, study, live } = await world();
    const seen = new Set<string>();
    for (let session = 0; session < 30; session++) {
      const sent = await live(`s${session}`);
      expect(new Set(sent).size).toBe(1);
      expect(loop.prompt('system', { session: `s${session}` })).toBe(sent[0]);
      expect(await study.begin(`s${session}`)).toBe(sent[0]);
      seen.add(sent[0] ?? '');
    }
    expect(seen.size).toBeGreaterThan(8);
    const { prompts } = loop.begin('answer', { session: 'never begun' });
    expect(prompts.system).toBe(SYSTEM);
    await loop.close();
  });

  it('does not count a session that gets another version', async () => {
    const { clock, loop, study, live } = await world();
    for (let session = 0; session < 30; session++) await live(`s${session}`);
    await loop.runCycle();
    const { id } = await loop.tryPrompt('system', `${SYSTEM}- Quote the invoice.\n`, { by: 'ann' });
    await loop.apply(id, { by: 'ann' });
    await clock.advance(1);
    const before = (await study.report()).sessions;
    const sent = await live('later');
    expect(sent[0]).toContain('Quote the invoice');
    expect((await study.report()).sessions).toBe(before);
    await loop.close();
  });

  it('goes on in another process that shares the log, and stops here', async () => {
    const { loop, log, study, live } = await world();
    for (let session = 0; session < 10; session++) await live(`s${session}`);
    study.stop();
    const again = await provePrompt(loop, 'system', { log });
    expect((await again.report()).sessions).toBe(10);
    expect(await again.begin('s3')).toBe(loop.prompt('system', { session: 's3' }));
    await expect(provePrompt(loop, 'sytem')).rejects.toThrow('did you mean system?');
    await loop.close();
  });
});
