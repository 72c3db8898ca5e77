import { DEPLOYMENT_KEYS, type Deployment } from '../contract/deployment.js';
import type { Health, HealthScore } from '../contract/health.js';
import type { Outcome } from '../contract/outcome.js';
import { eachAttempt } from '../lib/attempts.js';
import { batchRate } from '../lib/batch-rate.js';

const HOUR_MS = 3_600_000;
/** Limit on names per dimension. Later names count only in the overall score. */
const MAX_NAMES = 200;
/** Names whose total weight falls below this may be evicted for new ones. */
const FADED = 0.05;
/** New names rejected between two scans for evictable ones. Keeps the cost per outcome constant. */
const SWEEP_EVERY = 500;
const BEST_QUALITY = 5;
/**
 * Batches per half-life: long enough to contain most bursts of failures, numerous enough to estimate their variance.
 */
const BATCHES_PER_HALF_LIFE = 2;

export interface HealthOptions {
  /** Half-life of an outcome's weight. Default 24 h. */
  readonly halfLifeMs?: number;
  /** Time span of one history point. Default 1 h. */
  readonly pointMs?: number;
  /** Limit on history points. Default 720: 30 days of hours. */
  readonly maxPoints?: number;
}

/** Health over time: one point per hour in which a task ended. */
export interface HealthPoint {
  /** Start of the hour. */
  readonly atMs: number;
  readonly outcomes: number;
  /** Share of the tasks ended in this hour that went well, 0 to 1. */
  readonly rate: number;
  /** Health score after the hour's last outcome. */
  readonly score: number;
}

/**
 * Exponentially decaying sums. They halve every half-life. `open…` sums cover the current batch. The squared sums cover
 * earlier batches and fall to a quarter every half-life.
 */
type Cell = {
  good: number;
  weight: number;
  atMs: number;
  openGood: number;
  openWeight: number;
  goodSquared: number;
  goodByWeight: number;
  weightSquared: number;
};
/** Result of one task, with its end time and the current time. */
type End = { readonly good: number; readonly weight: number; readonly atMs: number; readonly nowMs: number };
type Point = { atMs: number; good: number; outcomes: number; score: number };

export interface HealthSnapshot {
  readonly all: Readonly<Cell>;
  readonly names: readonly (readonly (readonly [string, Readonly<Cell>])[])[];
  readonly points: readonly Readonly<Point>[];
}

/**
 * Health meter of an agent: the exponentially recency-weighted share of tasks that went well. Scores are kept overall
 * and by task, model, source and deployment. The cost per outcome is constant, and the number of names is bounded.
 */
export class HealthMeter {
  readonly #halfLifeMs: number;
  readonly #pointMs: number;
  readonly #maxPoints: number;
  #all: Cell;
  readonly #tasks: Names;
  readonly #models: Names;
  readonly #sources: Names;
  readonly #deployments: Readonly<Record<keyof Deployment, Names>>;
  readonly #points: Point[];

  constructor(options: HealthOptions = {}, snapshot?: HealthSnapshot) {
    this.#halfLifeMs = positive(options.halfLifeMs, 24 * HOUR_MS);
    this.#pointMs = positive(options.pointMs, HOUR_MS);
    this.#maxPoints = Math.ceil(positive(options.maxPoints, 720));
    this.#all = { ...(snapshot?.all ?? emptyCell(0)) };
    const names = (index: number) => new Names(this.#halfLifeMs, snapshot?.names[index]);
    [this.#tasks, this.#models, this.#sources] = [names(0), names(1), names(2)];
    this.#deployments = { service: names(3), version: names(4), region: names(5), host: names(6) };
    this.#points = (snapshot?.points ?? []).map((point) => ({ ...point }));
  }

  /**
   * Adds an outcome. Ignores child tasks and cancelled tasks. Times after `nowMs` count as `nowMs`, so that a corrected
   * clock does not make newer outcomes look older than earlier ones.
   */
  add(outcome: Outcome, nowMs = Number.POSITIVE_INFINITY): void {
    if (outcome.parent !== undefined || outcome.issues.includes('cancelled')) return;
    const weight = outcome.weight ?? 1;
    if (!Number.isFinite(outcome.atMs) || !(weight > 0 && weight < Number.POSITIVE_INFINITY)) return;
    const atMs = Math.min(outcome.atMs, nowMs);
    const end = { good: weight * goodness(outcome), weight, atMs, nowMs };
    addTo(this.#all, end, this.#halfLifeMs);
    this.#tasks.add(outcome.task, end);
    this.#addModels(outcome, end);
    this.#sources.add(outcome.source, end);
    for (const key of DEPLOYMENT_KEYS) {
      const name = outcome[key];
      if (name !== undefined) this.#deployments[key].add(name, end);
    }
    this.#addPoint(end);
  }

  #addModels(outcome: Outcome, end: End): void {
    // Fast path: most tasks are a single call.
    if ((outcome.attempts?.length ?? 0) === 0) {
      if (outcome.model !== undefined) this.#models.add(outcome.model, end);
      return;
    }
    eachAttempt(outcome, (model, failed, _, isLast) => {
      if (model !== undefined) this.#models.add(model, isLast ? end : { ...end, good: failed ? 0 : end.weight });
    });
  }

  /** Returns the overall score alone. */
  score(nowMs: number): HealthScore {
    return scoreOf(this.#all, nowMs, this.#halfLifeMs);
  }

  health(nowMs: number): Health {
    const { service, version, region, host } = this.#deployments;
    return {
      ...this.score(nowMs),
      byTask: this.#tasks.scores(nowMs),
      byModel: this.#models.scores(nowMs),
      bySource: this.#sources.scores(nowMs),
      byService: service.scores(nowMs),
      byVersion: version.scores(nowMs),
      byRegion: region.scores(nowMs),
      byHost: host.scores(nowMs),
    };
  }

  /** Returns the history, oldest first. */
  series(): readonly HealthPoint[] {
    return this.#points.map(({ atMs, good, outcomes, score }) => ({ atMs, outcomes, rate: good / outcomes, score }));
  }

  snapshot(): HealthSnapshot {
    return {
      all: { ...this.#all },
      names: [this.#tasks, this.#models, this.#sources, ...DEPLOYMENT_KEYS.map((key) => this.#deployments[key])].map(
        (names) => names.snapshot(),
      ),
      points: this.#points.map((point) => ({ ...point })),
    };
  }

  #addPoint({ good, weight, atMs }: End): void {
    const beginsMs = Math.floor(atMs / this.#pointMs) * this.#pointMs;
    const index = this.#placeOf(beginsMs);
    const score = this.#all.good / this.#all.weight;
    const point = this.#points[index];
    if (point?.atMs === beginsMs) {
      point.good += good;
      point.outcomes += weight;
      if (index === this.#points.length - 1) point.score = score;
      return;
    }
    if (index === 0 && this.#points.length >= this.#maxPoints) return;
    this.#points.splice(index, 0, { atMs: beginsMs, good, outcomes: weight, score });
    if (this.#points.length > this.#maxPoints) this.#points.shift();
  }

  /**
   * Returns the index of the point or its insertion index. Searches from the end, as it is nearly always the last one.
   */
  #placeOf(beginsMs: number): number {
    let index = this.#points.length;
    while (index > 0 && (this.#points[index - 1]?.atMs ?? 0) >= beginsMs) index--;
    return index;
  }
}

/** Cells of one dimension, by name. */
class Names {
  readonly #halfLifeMs: number;
  readonly #cells: Map<string, Cell>;
  #turnedAway = 0;

  constructor(halfLifeMs: number, snapshot: HealthSnapshot['names'][number] = []) {
    this.#halfLifeMs = halfLifeMs;
    this.#cells = new Map(snapshot.map(([name, cell]) => [name, { ...cell }]));
  }

  add(name: string, end: End): void {
    let cell = this.#cells.get(name);
    if (!cell) {
      if (this.#cells.size >= MAX_NAMES && !this.#makeRoom(end.atMs)) return;
      cell = emptyCell(end.atMs);
      this.#cells.set(name, cell);
    }
    addTo(cell, end, this.#halfLifeMs);
  }

  scores(nowMs: number): Record<string, HealthScore> {
    return Object.fromEntries([...this.#cells].map(([name, cell]) => [name, scoreOf(cell, nowMs, this.#halfLifeMs)]));
  }

  snapshot(): HealthSnapshot['names'][number] {
    return [...this.#cells].map(([name, cell]) => [name, { ...cell }] as const);
  }

  #makeRoom(atMs: number): boolean {
    if (this.#turnedAway++ % SWEEP_EVERY !== 0) return false;
    for (const [name, cell] of this.#cells) {
      if (cell.weight * fading(atMs - cell.atMs, this.#halfLifeMs) < FADED) this.#cells.delete(name);
    }
    return this.#cells.size < MAX_NAMES;
  }
}

/**
 * Returns 0 for a failure and 1 for a success. A success with a quality of 1 (useless) to 5 (perfect) maps to 0 to 1.
 */
function goodness(outcome: Outcome): number {
  if (!outcome.success) return 0;
  if (outcome.quality === undefined || !Number.isFinite(outcome.quality)) return 1;
  return Math.min(1, Math.max(0, (outcome.quality - 1) / (BEST_QUALITY - 1)));
}

function addTo(cell: Cell, { good, weight, atMs, nowMs }: End, halfLifeMs: number): void {
  cell.atMs = Math.min(cell.atMs, nowMs);
  if (atMs > cell.atMs) moveTo(cell, atMs, halfLifeMs);
  // Older than the newest outcome, so already decayed. Counts in the open batch, as earlier batches are stored squared.
  const faded = atMs === cell.atMs ? 1 : fading(cell.atMs - atMs, halfLifeMs);
  cell.good += good * faded;
  cell.weight += weight * faded;
  cell.openGood += good * faded;
  cell.openWeight += weight * faded;
}

/** Decays the sums to `atMs`, and closes the open batch if a new one has begun. */
function moveTo(cell: Cell, atMs: number, halfLifeMs: number): void {
  const batchMs = halfLifeMs / BATCHES_PER_HALF_LIFE;
  if (Math.floor(atMs / batchMs) !== Math.floor(cell.atMs / batchMs)) {
    Object.assign(cell, squaresOf(cell));
    cell.openGood = 0;
    cell.openWeight = 0;
  }
  const kept = fading(atMs - cell.atMs, halfLifeMs);
  cell.good *= kept;
  cell.weight *= kept;
  cell.openGood *= kept;
  cell.openWeight *= kept;
  const keptSquared = kept * kept;
  cell.goodSquared *= keptSquared;
  cell.goodByWeight *= keptSquared;
  cell.weightSquared *= keptSquared;
  cell.atMs = atMs;
}

/** Returns the squared sums including the open batch. */
function squaresOf(cell: Cell): Pick<Cell, 'goodSquared' | 'goodByWeight' | 'weightSquared'> {
  const { openGood, openWeight } = cell;
  return {
    goodSquared: cell.goodSquared + openGood * openGood,
    goodByWeight: cell.goodByWeight + openGood * openWeight,
    weightSquared: cell.weightSquared + openWeight * openWeight,
  };
}

function emptyCell(atMs: number): Cell {
  return {
    good: 0,
    weight: 0,
    atMs,
    openGood: 0,
    openWeight: 0,
    goodSquared: 0,
    goodByWeight: 0,
    weightSquared: 0,
  };
}

/**
 * Returns the score with its interval. Evidence is capped at the current weight, so the interval widens without new
 * outcomes.
 */
function scoreOf(cell: Cell, nowMs: number, halfLifeMs: number): HealthScore {
  const { good, weight } = cell;
  if (weight <= 0) return { score: 1, low: 0, high: 1, known: false };
  const { goodSquared, goodByWeight, weightSquared } = squaresOf(cell);
  const sums = { hits: good, of: weight, hitsSquared: goodSquared, hitsByOf: goodByWeight, ofSquared: weightSquared };
  const { value, low, high } = batchRate(sums, fading(Math.max(0, nowMs - cell.atMs), halfLifeMs));
  return { score: value, low, high, known: true };
}

function fading(ageMs: number, halfLifeMs: number): number {
  return 2 ** (-ageMs / halfLifeMs);
}

function positive(value: number | undefined, otherwise: number): number {
  return value !== undefined && value > 0 && Number.isFinite(value) ? value : otherwise;
}
