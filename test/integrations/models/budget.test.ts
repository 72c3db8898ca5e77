import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ModelBudget } from 'rsi-loop/models';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failure } from './fixtures.js';

const PRICE = { inputUsd: 3, outputUsd: 15 };

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-budget-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A call: its worst case, the part of it that it really uses, and the turn in which it ends. */
const CALL = fc.record({ input: fc.nat(4_000), output: fc.nat(2_000), part: fc.nat(100), ends: fc.nat(20) });

describe('ModelBudget', () => {
  for (const [where, folder] of [
    ['in memory', () => undefined],
    ['in a folder that two processes share', tempFolder],
  ] as const) {
    it(`is never exceeded, whatever calls overlap, ${where}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(CALL, { maxLength: 40 }), fc.integer({ min: 1, max: 30_000 }), async (calls, max) => {
          const at = folder();
          const options = { maxTokens: max, maxUsd: max / 200_000, ...(at !== undefined && { folder: at }) };
          const first = new ModelBudget(options);
          const budgets = [first, at === undefined ? first : new ModelBudget(options)] as const;
          let [tokens, usd] = [0, 0];
          const most = { tokens: 0, usd: 0 };
          await Promise.all(
            calls.map(async ({ input, output, part, ends }, index) => {
              const reservation = await (budgets[index % 2] ?? first)
                .reserve('m', { input, output }, PRICE)
                .catch(() => undefined);
              if (!reservation) return;
              for (let turn = 0; turn < ends; turn++) await Promise.resolve();
              const use = { input: Math.floor((input * part) / 100), output: Math.floor((output * part) / 100) };
              tokens += use.input + use.output;
              usd += (use.input * PRICE.inputUsd + use.output * PRICE.outputUsd) / 1_000_000;
              await reservation.settle(use);
              const status = await first.status();
              most.tokens = Math.max(most.tokens, status.tokens);
              most.usd = Math.max(most.usd, status.usd);
            }),
          );
          expect(most.tokens).toBeLessThanOrEqual(max);
          expect(most.usd).toBeLessThanOrEqual(max / 200_000);
          const end = await first.status();
          expect(end.tokens).toBe(tokens);
          expect(end.usd).toBeCloseTo(usd, 6);
        }),
        { numRuns: folder() === undefined ? 60 : 12 },
      );
    });
  }

  it('says what is spent, what the call may cost, and when it is full again', async () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 22, 23, 59));
    const budget = new ModelBudget({ maxUsd: 0.05, per: 'day', clock });
    await budget.reserve('m', { input: 10_000, output: 1_000 }, PRICE);
    const { code, message } = await failure(budget.reserve('m', { input: 1_000, output: 1_000 }, PRICE));
    expect(code).toBe('model-down');
    expect(message).toBe(
      'm is not asked: 0.045 of 0.05 US dollars are spent or reserved, and this call may cost 0.018: raise maxUsd, or shorten maxTokens of the model; the budget is full again next day (UTC)',
    );
    await clock.advance(120_000);
    await budget.reserve('m', { input: 1_000, output: 1_000 }, PRICE);
    expect(await budget.status()).toEqual({ usd: 0.018, tokens: 2_000, maxUsd: 0.05, period: '2026-11-23' });
  });

  it('keeps what a process spent that died, and what one reserved that never came back', async () => {
    const folder = tempFolder();
    const before = new ModelBudget({ maxTokens: 1_000, folder });
    await (await before.reserve('m', { input: 300, output: 300 })).settle({ input: 100, output: 20 });
    await before.reserve('m', { input: 500, output: 0 });
    const after = new ModelBudget({ maxTokens: 1_000, folder });
    expect(await after.status()).toMatchObject({ tokens: 620 });
    expect((await failure(after.reserve('m', { input: 400, output: 0 }))).message).toContain('620 of 1000 tokens');
  });

  it('reads past a line that was torn by a crash, and refuses a file of another version', async () => {
    const folder = tempFolder();
    const budget = new ModelBudget({ maxTokens: 1_000, folder });
    await budget.reserve('m', { input: 100, output: 0 });
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), '\n{"id":"torn","tok');
    await budget.reserve('m', { input: 100, output: 0 });
    expect(await new ModelBudget({ maxTokens: 1_000, folder }).status()).toMatchObject({ tokens: 200 });
    expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^\{"format":"rsi-spending\/1"\}\n/);
    writeFileSync(join(folder, name), '{"format":"rsi-spending/2"}\n');
    const { message } = await failure(new ModelBudget({ maxTokens: 1_000, folder }).status());
    expect(message).toContain('has format rsi-spending/2: this version reads rsi-spending/1');
  });

  it('refuses limits that are none', () => {
    expect(() => new ModelBudget({})).toThrow('a budget needs a limit: give maxUsd, maxTokens or both');
    expect(() => new ModelBudget({ maxUsd: -1 })).toThrow('maxUsd of the budget is -1: give a number above 0');
    expect(() => new ModelBudget({ maxTokens: Number.NaN })).toThrow('maxTokens of the budget is NaN');
    expect(() => new ModelBudget({ maxUsd: 1, per: 'week' as 'day' })).toThrow('per of the budget is "week"');
  });
});
