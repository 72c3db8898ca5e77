import { describe, expect, it } from 'vitest';
import { runLives } from '../lives/run-lives.js';

describe('random lives of two loops over one store, the shorter cut of the campaign', () => {
  it('leave no cycle unfinished, and what a process knows or saves follows from the logs alone', async () => {
    const { broken, cycles, compared } = await runLives({ count: 30, seed: Date.now() });
    expect(broken).toEqual([]);
    expect(cycles).toBeGreaterThan(100);
    expect(compared).toBeGreaterThan(60);
  }, 120_000);

  it('do so over a real folder, too', async () => {
    const { broken, onDisk, compared } = await runLives({ count: 6, seed: Date.now(), onDisk: true });
    expect(broken).toEqual([]);
    expect(onDisk).toBe(6);
    expect(compared).toBeGreaterThan(12);
  }, 120_000);
});
