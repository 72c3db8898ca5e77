import { FREEZE_AFTER, type Life, liveLoad, type TaskEnd } from './live.js';
import type { World } from './world.js';

/** Default price of a prevented failure. */
const PRICE_MS = 20_000;
/** Failures that the best fixed policy must prevent in a world that counts as mendable. */
const LEAST_PREVENTED = 20;

/** Figures of a life. Times are those of the tasks that succeed without the loop. */
export interface Figures {
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  readonly callsPerTask: number;
}

/** Failures that are prevented, by the best fixed policy and by the loop. */
export interface Prevented {
  readonly best: number;
  readonly loop: number;
}

/** One world under the loop, without it, and under the best fixed policy. */
export interface Compared {
  readonly world: string;
  readonly without: Figures;
  readonly loop: Figures;
  readonly refused: number;
  /** Longest wait of a task because of the loop, and all waits together. */
  readonly worstWaitMs: number;
  readonly waitedMs: number;
  readonly tried: readonly string[];
  /** Failures before the freeze that the best fixed policy and the loop prevent. Empty if no policy does within the bounds. */
  readonly whole: Prevented;
  /** The same in the newer half of that time, when most trials have ended. */
  readonly newer: Prevented;
  /** Bounds that do not hold. */
  readonly broken: readonly string[];
}

/** Lives through the load of a world with and without the loop, and under the candidates for the best fixed policy. */
export async function compare(world: World, seed: number): Promise<Compared> {
  const without = await liveLoad(world, seed, 'without');
  const loop = await liveLoad(world, seed, 'loop');
  let [best, most] = [without, LEAST_PREVENTED];
  for (const way of world.ways ?? []) {
    const life = await liveLoad(world, seed, way);
    const prevented = preventedBy(life, without, 0);
    // A policy that harms others is not the best one.
    if (prevented < most || brokenBounds(world, without, life).length > 0) continue;
    [best, most] = [life, prevented];
  }
  const since = (part: number): Prevented =>
    best === without
      ? { best: 0, loop: 0 }
      : { best: preventedBy(best, without, part), loop: preventedBy(loop, without, part) };
  return {
    world: world.name,
    without: figuresOf(without, without),
    loop: figuresOf(loop, without),
    refused: loop.refused,
    worstWaitMs: Math.max(...loop.ends.map((end) => end?.waitedMs ?? 0)),
    waitedMs: waitedOf(loop),
    tried: loop.tried,
    whole: since(0),
    newer: since(FREEZE_AFTER / 2),
    broken: brokenBounds(world, without, loop),
  };
}

/** Returns what a life did to its host beyond what the loop promises. */
function brokenBounds({ host, models }: World, without: Life, life: Life): readonly string[] {
  const [plain, loop] = [figuresOf(without, without), figuresOf(life, without)];
  const prevented = plain.failures - loop.failures;
  const chance = 2 * Math.sqrt(plain.failures) + 1;
  const open = life.ends.filter((end) => end === undefined).length;
  const most = 1.1 * plain.p99Ms + 1_000;
  const waitedMs = waitedOf(life) - waitedOf(without);
  const maxCalls = 1.2 * plain.callsPerTask + Math.max(0, prevented) / life.ends.length;
  const mayRepeat = host?.idempotent === true || (models?.length ?? 0) > 1;
  const repeated = life.ends.filter((end) => (end?.calls ?? 0) > 1).length;
  const bounds: readonly (readonly [holds: boolean, what: string])[] = [
    [prevented >= -chance, `${-prevented} failures added`],
    [loop.p99Ms <= most, `p99 ${inSeconds(loop.p99Ms)} s above ${inSeconds(most)} s`],
    [waitedMs <= PRICE_MS * (Math.max(0, prevented) + chance), `${inSeconds(waitedMs)} s waited for ${prevented}`],
    [loop.callsPerTask <= maxCalls, `${loop.callsPerTask.toFixed(2)} calls per task`],
    [mayRepeat || repeated === 0, `${repeated} tasks repeated without permission`],
    [life.refused === 0, `${life.refused} refused by the loop`],
    [life.heldAfterFreeze === 0, `${life.heldAfterFreeze} waited a second after the freeze`],
    [open === 0, `${open} never ended`],
  ];
  return bounds.flatMap(([holds, what]) => (holds ? [] : [what]));
}

function figuresOf(life: Life, without: Life): Figures {
  const took = life.ends.flatMap((end, task) => (end && without.ends[task]?.success ? end.tookMs : []));
  const sorted = took.sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return {
    failures: failuresOf(life),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    worstMs: at(1),
    callsPerTask: sum(life, ({ calls }) => calls) / life.ends.length,
  };
}

/** Returns the failures prevented from a part of the tasks on, until the freeze. */
function preventedBy(life: Life, without: Life, fromPart: number): number {
  const [from, to] = [fromPart, FREEZE_AFTER].map((part) => Math.floor(part * life.ends.length));
  const failed = ({ ends }: Life) => ends.slice(from, to).filter((end) => end?.success !== true).length;
  return failed(without) - failed(life);
}

function failuresOf(life: Life): number {
  return life.ends.filter((end) => end?.success !== true).length;
}

function waitedOf(life: Life): number {
  return sum(life, ({ waitedMs }) => waitedMs);
}

function sum(life: Life, of: (end: TaskEnd) => number): number {
  return life.ends.reduce((total, end) => total + (end ? of(end) : 0), 0);
}

export function inSeconds(ms: number): string {
  return String(Number((ms / 1_000).toPrecision(3)));
}
