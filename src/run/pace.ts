/** What was learned of a provider's quota. */
export interface PaceState {
  /** Calls that it grants per millisecond in the long run. */
  readonly perMs: number;
  /** Calls that it grants at once after a quiet time. */
  readonly burst: number;
}

/** Accepted calls after which what was measured before counts half. */
const HALF_LIFE = 30;
/** Accepted calls before a rate is known. */
const ENOUGH = 3;
/** Calls that had to wait since the last refusal, before more than the known rate is tried; doubles while that holds. */
const FIRST_PLATEAU = 25;
const LONGEST_PLATEAU = 800;
/** A call that waited as long as it may counts as so many more of them. */
const URGENCY = 9;
/** How far below the known rate calls begin after a refusal. */
const MARGIN = 0.05;
/** Rates that differ by less are one. */
const ALIKE = 0.1;
/** A refused call for which the bucket seemed to hold less than this says nothing new. */
const EXPECTED = 0.5;
/** So many calls beyond what the bucket seemed to hold say that it holds more. */
const MANY_MORE = 1.5;
/** A full bucket that granted all it seemed to hold is tried with a little more, and with less once it did not. */
const LARGER = 1.2;
const SMALLER = 0.85;
const FIRST_PATIENCE = 8;
const LONGEST_PATIENCE = 64;
/** The longest announced wait counts half after 70 announcements of shorter ones. */
const FADING = 0.99;
/** A line whose head has waited for four fifths of its longest wait moves 1.26 times as fast, at the end of it twice. */
const PRESSURE_POWER = 6;

/**
 * Learns the quota that a provider grants this process on one model, from what it refuses. It fits a token bucket: the rate
 * to stretches without a pause that end in a refusal, the size to bursts after a pause. Everybody who shares the quota
 * meets its refusals, so each process learns its own share. All times are of the monotonic clock.
 */
export class Pace {
  #perMs: number | undefined;
  #burst = 1;
  #tokens = 0;
  #tokensMs: number;
  /** The last refusal that said something new. */
  #refusedMs: number;
  /** Calls that had to wait since then. */
  #waited = 0;
  #plateau = FIRST_PLATEAU;
  /** Since when the bucket was never full, and the calls since then that were not refused. */
  #busySinceMs: number;
  #taken = 0;
  #isFull = false;
  /** Full buckets that were emptied without a refusal, and how many there must be before a larger one is tried. */
  #emptied = 0;
  #patience = FIRST_PATIENCE;
  /** Accepted calls and the time that they took, the newest counting most. */
  #calls = 0;
  #ms = 0;
  /** The longest wait that it announced lately; 0 without one. */
  #announcedMs = 0;
  /** How long the head of the line has waited, as a part of its longest wait. */
  #pressure = 0;

  /** Begins at a refusal, or with what another process had learned. */
  constructor(nowMs: number, learned?: PaceState) {
    this.#tokensMs = this.#refusedMs = this.#busySinceMs = nowMs;
    if (learned === undefined) return;
    this.#perMs = learned.perMs;
    this.#burst = learned.burst;
  }

  /** What is known so far. */
  get state(): PaceState | undefined {
    return this.#perMs === undefined ? undefined : { perMs: this.#perMs, burst: this.#burst };
  }

  /** How long the next call has to wait; `pressure` 1 means that it has waited as long as it may. */
  waitMs(nowMs: number, pressure: number): number {
    if (this.#perMs === undefined) return 0;
    this.#refill(nowMs);
    this.#pressure = pressure;
    return this.#tokens >= 1 ? 0 : Math.ceil((1 - this.#tokens) / this.#rate(this.#perMs));
  }

  /** A call begins, whether or not it was made to wait. */
  begin(nowMs: number, hasWaited: boolean): void {
    this.#refill(nowMs);
    this.#tokens--;
    this.#taken++;
    if (hasWaited) this.#waited += 1 + URGENCY * this.#pressure;
    if (this.#isFull && this.#tokens < 1) this.#empty(nowMs);
  }

  /** No call is on its way any more: none that was granted beyond what the bucket seemed to hold can still be refused. */
  rest(nowMs: number): void {
    this.#refill(nowMs);
    if (this.#perMs === undefined || this.#tokens > -MANY_MORE) return;
    const isAtOnce = this.#taken > 2 * this.#perMs * (nowMs - this.#busySinceMs);
    if (isAtOnce) this.#burst -= this.#tokens;
    else this.#measure(nowMs);
    this.#busySinceMs = nowMs;
    this.#taken = this.#tokens = 0;
  }

  /** The provider said with a refusal when it takes calls again. Calls are never further apart: this bounds the rate. */
  announce(waitMs: number): void {
    this.#announcedMs = Math.max(waitMs, FADING * this.#announcedMs);
  }

  /** The provider refused a call that began at `startMs`. */
  refuse(startMs: number, nowMs: number): void {
    // Those that were on their way when it was last found empty say the same again.
    if (startMs <= this.#refusedMs) return;
    this.#refill(nowMs);
    this.#tokens++; // a refused call takes none
    this.#taken = Math.max(0, this.#taken - 1);
    if (this.#perMs === undefined) this.#measure(nowMs);
    else if (this.#tokens < EXPECTED) return;
    else if (this.#isFull) this.#shrink();
    else this.#slow(this.#perMs, nowMs);
    this.#refusedMs = this.#busySinceMs = nowMs;
    this.#taken = this.#tokens = 0;
    this.#isFull = false;
  }

  /** A full bucket granted less than it seemed to hold. */
  #shrink(): void {
    this.#burst = Math.max(1, SMALLER * this.#burst);
    this.#patience = Math.min(LONGEST_PATIENCE, 2 * this.#patience);
    this.#emptied = 0;
  }

  /** An empty bucket granted less than it seemed to. */
  #slow(perMs: number, nowMs: number): void {
    const growth = this.#growth;
    this.#measure(nowMs);
    const isAlike = Math.abs((this.#perMs ?? perMs) - perMs) < ALIKE * perMs && growth < 1 + ALIKE;
    if (this.#waited > 0) this.#plateau = isAlike ? Math.min(LONGEST_PLATEAU, 2 * this.#plateau) : FIRST_PLATEAU;
    this.#waited = 0;
  }

  /** It was empty then and is empty now, so it granted what it was given in between. */
  #measure(nowMs: number): void {
    const keep = 2 ** (-Math.max(EXPECTED, this.#taken) / HALF_LIFE);
    this.#calls = this.#calls * keep + this.#taken;
    this.#ms = this.#ms * keep + (nowMs - this.#busySinceMs);
    if ((this.#perMs !== undefined || this.#calls >= ENOUGH) && this.#calls > 0 && this.#ms > 0)
      this.#perMs = this.#calls / this.#ms;
  }

  /** A full bucket was emptied: from now on nothing is lost that the provider grants. */
  #empty(nowMs: number): void {
    this.#isFull = false;
    this.#busySinceMs = nowMs;
    this.#taken = 0;
    this.#emptied++;
    if (this.#emptied < this.#patience) return;
    this.#emptied = 0;
    this.#burst = Math.max(this.#burst + 1, LARGER * this.#burst);
  }

  /** Begins a little below what is known, holds for a while, then grows ever faster until something is refused. */
  get #growth(): number {
    const held = this.#waited / this.#plateau;
    return held <= 1 ? 1 - MARGIN * (1 - held) : 1 + MARGIN * (held - 1) ** 2;
  }

  #rate(perMs: number): number {
    const least = this.#announcedMs > 0 ? 1 / this.#announcedMs : 0;
    return Math.max(least, perMs) * this.#growth * (1 + this.#pressure ** PRESSURE_POWER);
  }

  #refill(nowMs: number): void {
    if (this.#perMs === undefined) return;
    const full = this.#tokens + this.#rate(this.#perMs) * (nowMs - this.#tokensMs);
    this.#tokensMs = nowMs;
    this.#tokens = Math.min(Math.max(this.#tokens, this.#burst), full);
    if (this.#tokens < full) this.#isFull = true;
  }
}
