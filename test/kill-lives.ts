import type { Ended } from './run-node.js';

/** Counts of kills, and which promises did not hold. */
export interface KillReport {
  readonly kills: number;
  readonly lives: number;
  readonly broken: readonly string[];
  readonly [count: string]: unknown;
}

/** Lives of a program. Each begins in a folder of its own, and goes on until a process is not killed. */
export interface Lives {
  /** Runs the next process of a life. `isEnough`: it is not to be killed. */
  start(life: number, isEnough: boolean): Promise<Ended>;
  /** Checks what a process left. Returns the promises that did not hold. */
  check(life: number, end: Ended, kills: number): readonly string[] | Promise<readonly string[]>;
}

/** Kills lives until there were so many kills. `check` sees the end of each process, and the kills of its life before it. */
export async function killLives({ start, check }: Lives, least: number): Promise<KillReport> {
  const broken: string[] = [];
  let kills = 0;
  let life = 0;
  while (kills < least) {
    life++;
    for (let own = 0; ; own++, kills++) {
      const end = await start(life, kills >= least);
      if (end.code !== 0 && end.stderr !== '') throw new Error(end.stderr);
      for (const problem of await check(life, end, own)) broken.push(`life ${life}: ${problem}`);
      if (end.code === 0) break;
    }
  }
  return { kills, lives: life, broken };
}
