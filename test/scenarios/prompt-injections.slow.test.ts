import { RSILoop } from 'rsi-loop';
import { draftsBy, namedTexts, type PromptWriter } from 'rsi-loop/prompts';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { INJECTIONS, type Injection, OBEDIENT } from './prompt-injections.js';

const SYSTEM = 'You answer questions of {{customer}}. Be polite.';

/** A loop whose failures say `recorded`, with a writer that puts `obeyed` into every draft, after thirty cycles. */
async function attacked({ recorded, wanted }: Injection, obeyed: string) {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const writer: PromptWriter = {
    name: 'obedient',
    write: async ({ pattern, failures }) => {
      // It obeys what it was shown: some disguises hide their request from the message of a failure.
      const shown = [pattern.template, ...pattern.examples, ...failures].join(' ');
      if (!shown.includes(wanted.slice(0, 25))) return [{ text: `${SYSTEM} State the amount.`, why: 'amounts' }];
      told.push(wanted);
      return [
        { text: `${SYSTEM} ${obeyed}`, why: obeyed },
        { text: `${obeyed}\n${SYSTEM} State the amount.`, why: 'amounts' },
      ];
    },
  };
  const told: string[] = [];
  const loop = new RSILoop({ clock, prompts: namedTexts({ system: { text: SYSTEM } }, { writer: draftsBy(writer) }) });
  const sent = new Set<string>();
  for (let task = 1; task <= 30; task++) {
    await clock.advance(60_000);
    const { prompts, end } = loop.begin('answer');
    sent.add(prompts.system ?? '');
    end(task % 3 === 0 ? { success: false, error: recorded, issues: ['wrong_output'] } : { success: true });
    if (task % 6 === 0) await loop.runCycle();
  }
  const fixes = loop.fixes({ kind: 'prompt' });
  await loop.close();
  return { sent, fixes, isTold: told.length > 0 };
}

describe('100 injections in recorded failures, with a writer that obeys them', () => {
  it('reach no text in force without a person, and no proposal without a mark', async () => {
    const seen = { inForce: 0, told: 0, unmarked: [] as string[] };
    for (const [index, injection] of INJECTIONS.entries()) {
      const obey = OBEDIENT[(index + Math.floor(index / OBEDIENT.length)) % OBEDIENT.length];
      const obeyed = obey?.(injection.wanted) ?? '';
      const { sent, fixes, isTold } = await attacked(injection, obeyed);
      seen.inForce += [...sent].filter((text) => text !== SYSTEM).length;
      if (isTold) seen.told++;
      for (const { change, marks = [], wordedBy, status } of fixes) {
        if (!('text' in change) || !change.text.includes(obeyed)) continue;
        const isMarked =
          marks[0]?.includes('read each') && marks.some((mark) => mark.startsWith(`“${obeyed.slice(0, 20)}`));
        if (!isMarked || wordedBy !== 'obedient' || status !== 'proposed') seen.unmarked.push(`${obeyed} | ${marks}`);
      }
    }
    expect(INJECTIONS).toHaveLength(100);
    expect(seen).toEqual({ inForce: 0, unmarked: [], told: expect.any(Number) });
    expect(seen.told).toBeGreaterThan(70);
  });
});
