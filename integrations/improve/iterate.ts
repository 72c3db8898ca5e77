import { LoopError } from 'rsi-loop';
import { NOTHING_SPENT, type Suite } from 'rsi-loop/bench';
import { betting, chance, hashing, type ImprovementLog, mustBe, type Random, showValue } from 'rsi-loop/kit';
import { chooseParent } from './choose-parent.js';
import { forecastOf } from './forecast.js';
import { type ImproveOptions, type ImproveSettings, withDefaults } from './improve-options.js';
import { afterStep, type Improvement, improvementOf, versionOf } from './improvement.js';
import { improvementId } from './improvement-id.js';
import { ImprovementRuns, type RunPlace } from './improvement-runs.js';
import type { Ended, ImprovementStep, StepBody } from './improvement-step.js';
import { MemoryLog } from './memory-log.js';
import type { FailedProblem, Proposal, ProposalRequest } from './proposal.js';
import { draftOf, plannedProposals, plannedVersions } from './search.js';
import { nextShortening, studyOf, type ToProve } from './shorten.js';
import { type PlannedVersion, type ScoredVersion, type Version, versionId } from './version.js';

/**
 * Improves an agent on a benchmark, round by round. A draft collects candidates that score more on the open half, which
 * is cheap and proves nothing. Then it is compared with the best version on the held-out half, and kept if it is proven
 * better. A kept draft is then shortened: changes that the runs do not show to help are left out, if the rest is proven to
 * hold the gain. Over all rounds, at most a share `alpha` of the kept drafts is useless on average (e-LOND, see `levelOf`).
 * @throws LoopError `invalid-input` for an option out of range, or a benchmark without two halves.
 */
export async function iterate(suite: Suite, options: ImproveOptions): Promise<Improvement & { readonly ended: Ended }> {
  return new Iteration(suite, options).run();
}

/** Share of the budget that is kept for the last proof, and to shorten what it proves. */
const PROOF_SHARE = 0.4;
/** Share of the steps whose candidates change another version of the archive than the draft. */
const ARCHIVE_SHARE = 0.2;

/** Candidates, or why there are none. */
interface Asked {
  readonly found: readonly Proposal[];
  readonly problem?: string;
}

class Iteration {
  readonly #suite: Suite;
  readonly #options: ImproveSettings;
  readonly #id: string;
  readonly #log: ImprovementLog<ImprovementStep>;
  readonly #runs: ImprovementRuns;
  #state: Improvement = improvementOf([]);

  constructor(suite: Suite, options: ImproveOptions) {
    this.#options = withDefaults(options);
    this.#suite = suite;
    const { seed, start, log = new MemoryLog() } = this.#options;
    this.#id = improvementId(suite, { start, seed });
    this.#log = log;
    this.#runs = new ImprovementRuns(suite, this.#options);
  }

  async run(): Promise<Improvement & { readonly ended: Ended }> {
    const steps = await this.#log.load(this.#id);
    mustBe(Array.isArray(steps), 'log', `one whose load() gave ${showValue(steps)}`, 'one that gives a list');
    for (const step of steps) {
      this.#runs.purse.add(step.spent);
      this.#state = afterStep(this.#state, step);
    }
    if (steps.length === 0) await this.#start();
    else if (this.#state.ended === undefined) await this.#add({ kind: 'resumed' });
    const ended = await this.#runRounds();
    if (this.#state.ended !== ended) await this.#add({ kind: 'ended', why: ended });
    return { ...this.#state, spent: this.#runs.purse.spent, ended };
  }

  #start(): Promise<void> {
    const { rounds, budget, start } = this.#options;
    const { problemCounts: problems } = this.#runs;
    return this.#add({ kind: 'started', suite: this.#suite.name, problems, start, rounds, budget });
  }

  async #runRounds(): Promise<Ended> {
    const { rounds, patience } = this.#options;
    for (;;) {
      const unfinished = await this.#shorten();
      if (unfinished) return unfinished;
      const searches = this.#state.rounds.filter(({ shortens }) => !shortens);
      if (searches.length - 1 - searches.findLastIndex(({ isKept }) => isKept) >= patience) return 'no-gain';
      if (searches.length >= rounds) return 'rounds';
      const ended = (await this.#makeDraft()) ?? (await this.#decide());
      if (ended) return ended;
    }
  }

  /** Leaves out changes of the draft that was kept last, if the rest is proven to hold its gain. */
  async #shorten(): Promise<Ended | undefined> {
    let ended = await this.#study();
    while (!ended) {
      const { drafted } = this.#state.current;
      if (drafted && !drafted.shortens) return undefined;
      const next = drafted ?? nextShortening(this.#state);
      if (!next) return undefined;
      ended = (drafted ? undefined : await this.#draft(next)) ?? (await this.#prove());
    }
    return ended;
  }

  /** Runs the changes of the draft that was kept last in random halves, to tell them apart. */
  async #study(): Promise<Ended | undefined> {
    const { planned, round } = this.#state.current;
    const versions = studyOf(this.#state, this.#random('parts'));
    if (versions.length === 0) return undefined;
    if (!planned) await this.#add({ kind: 'planned', round, proposals: [], versions });
    return this.#score();
  }

  /** Runs candidates on the open half, step by step. Returns why the improvement ends meanwhile. */
  async #makeDraft(): Promise<Ended | undefined> {
    while (!this.#state.current.drafted && this.#state.current.steps < this.#options.draftSteps) {
      if (this.#isProofDue) return undefined;
      const ended = (this.#state.current.planned ? undefined : await this.#prepare()) ?? (await this.#score());
      if (ended) return this.#isDecidable(ended) ? undefined : ended;
    }
    return undefined;
  }

  /** Whether the round is decided although there are no more candidates. */
  #isDecidable(ended: Ended): boolean {
    const isOver = ended === 'no-proposals' || ended.startsWith('max-');
    // The rest of the budget may be enough for a proof. A proposer that failed is asked again in the next round.
    return (
      (isOver && this.#isProvable(draftOf(this.#state))) ||
      (ended === 'no-proposals' && this.#state.current.planned?.problem !== undefined)
    );
  }

  /** Whether the draft reaches the target, or the next step would spend what a proof needs. */
  get #isProofDue(): boolean {
    const { planned, stepRuns } = this.#state.current;
    const isShort = this.#runs.limitNear(PROOF_SHARE, planned ? 0 : stepRuns) !== undefined;
    if (!isShort && !this.#state.archive.some((version) => this.#isTarget(version))) return false;
    const draft = draftOf(this.#state);
    return (isShort || this.#isTarget(versionOf(this.#state.archive, draft.variant))) && this.#isProvable(draft);
  }

  /** Whether a version that was measured reaches the target on the open half. */
  #isTarget(version: Version | undefined): boolean {
    const { repeats, target } = this.#options;
    return version !== undefined && version.score >= target && version.runs >= repeats * this.#runs.problemCounts.open;
  }

  /** Whether a draft differs from the best version and has not failed before. */
  #isProvable({ id }: PlannedVersion): boolean {
    const { best, rounds } = this.#state;
    return id !== versionId(best) && !rounds.some(({ version, comparison }) => version === id && comparison);
  }

  /** Measures the parent of the next candidates, then asks for them. */
  async #prepare(): Promise<Ended | undefined> {
    const ended = this.#state.current.measured ? undefined : await this.#measure();
    if (ended) return ended;
    if (this.#isTarget(versionOf(this.#state.archive, this.#state.best))) return 'target';
    return this.#plan();
  }

  /** Runs the parent of the next candidates on the open half, and keeps its failures. */
  async #measure(): Promise<Ended | undefined> {
    const parent = this.#parent();
    const measured = await this.#runs.score(parent.variant, this.#place('measured'), this.#options.repeats);
    if (typeof measured === 'string') return measured;
    const failures = measured.problems.flatMap(({ problemId, score, error }) =>
      score < 1 ? [{ problemId, score, ...(error !== undefined && { error }) }] : [],
    );
    const version = { ...parent, score: measured.score, runs: measured.runs };
    await this.#add({ kind: 'measured', round: this.#state.current.round, version, failures });
    return undefined;
  }

  /** Returns the best version in the first step of a round, then mostly the draft, sometimes one of the archive. */
  #parent(): PlannedVersion {
    const { archive, best, current } = this.#state;
    const random = this.#random('parent');
    if (current.steps > 0 && random() >= ARCHIVE_SHARE) return draftOf(this.#state);
    const chosen = current.steps > 0 ? chooseParent(archive, random) : versionOf(archive, best);
    if (!chosen) return { id: versionId(best), parents: [], round: 0, variant: best, parts: [] };
    const { id, parents, round, variant, parts } = chosen;
    return { id, parents, round, variant, parts };
  }

  /** Asks for candidates, and makes a version for each. */
  async #plan(): Promise<Ended | undefined> {
    const { tried, archive, current } = this.#state;
    const { round, measured } = current;
    const parent = archive.find(({ id }) => id === measured?.version.id);
    if (!parent) return undefined;
    const problems = new Map(this.#runs.openProblems.map((problem) => [problem.id, problem]));
    const failures = (measured?.failures ?? []).flatMap(({ problemId, ...failure }): readonly FailedProblem[] => {
      const problem = problems.get(problemId);
      return problem ? [{ problem, ...failure }] : [];
    });
    const signal = this.#options.signal ?? new AbortController().signal;
    const { variant: draft, score } = parent;
    const asked = await this.#ask({ round, draft, score, failures, tried, archive, signal });
    if (asked === 'stopped') return asked;
    const { found, ...problem } = asked;
    const proposals = plannedProposals(draft, found);
    const versions = plannedVersions(this.#state, parent, proposals, this.#random('parts'));
    await this.#add({ kind: 'planned', round, proposals, versions, ...problem });
    return signal.aborted ? 'stopped' : undefined;
  }

  /** Asks the proposer. A model that does not answer, or not usably, ends the draft and not the improvement. */
  async #ask(request: ProposalRequest): Promise<Asked | 'stopped'> {
    try {
      return { found: await this.#options.propose(request) };
    } catch (error) {
      if (request.signal.aborted) return 'stopped';
      if (!LoopError.is(error)) throw error;
      return { found: [], problem: error.message };
    }
  }

  /** Runs the new versions once on the open half. */
  async #score(): Promise<Ended | undefined> {
    const { round, measured, planned } = this.#state.current;
    if (!planned || planned.versions.length === 0) return 'no-proposals';
    const versions: ScoredVersion[] = [];
    const errors: (string | undefined)[] = [];
    for (const version of planned.versions) {
      const same = versions.find(({ id }) => id === version.id);
      const count = planned.versions.length;
      const scored = same ?? (await this.#runs.score(version.variant, this.#place('scored'), 1, count));
      if (typeof scored === 'string') return scored;
      versions.push({ ...version, score: scored.score, runs: same ? 0 : scored.runs });
      errors.push('problems' in scored ? scored.problems[0]?.error : undefined);
    }
    const tried = planned.proposals.map((proposal, at) => {
      const { id: version = '', score = 0 } = versions[at] ?? {};
      const [parent, error] = [measured?.version.id ?? '', errors[at]];
      return { ...proposal, round, parent, version, score, ...(error !== undefined && { error }), isChosen: false };
    });
    const scored = { kind: 'scored', round, tried, versions } as const;
    const { parts } = draftOf(afterStep(this.#state, { ...scored, atMs: 0, spent: NOTHING_SPENT }));
    const withChoice = tried.map((one) => ({ ...one, isChosen: parts.includes(one.part) }));
    await this.#add({ ...scored, tried: withChoice });
    return undefined;
  }

  /** Completes the draft, and compares it with the best version on the held-out half. */
  async #decide(): Promise<Ended | undefined> {
    const ended = this.#state.current.drafted ? undefined : await this.#completeDraft();
    if (ended) return ended;
    const { current, best } = this.#state;
    const { round, drafted } = current;
    if (drafted) return this.#prove();
    const id = versionId(best);
    await this.#add({ kind: 'decided', round, draft: best, version: id, baseline: id, isKept: false });
    return undefined;
  }

  /** Compares the draft with its baseline on the held-out half, and keeps or drops it. */
  async #prove(): Promise<Ended | undefined> {
    const { archive, current } = this.#state;
    const { round, drafted } = current;
    if (!drafted) return undefined;
    const { version, baseline, alpha, shortens } = drafted;
    const { variant: start = this.#state.start, parts: before = [] } = archive.find(({ id }) => id === baseline) ?? {};
    const betterBy = shortens?.gain ?? 0;
    const comparison = await this.#runs.prove(version.variant, start, { ...this.#place('decided'), alpha, betterBy });
    if (typeof comparison === 'string') return comparison;
    const isKept = comparison.kind === 'better';
    const forecast = forecastOf(this.#state, [before, version.parts], comparison);
    const { id, variant: draft } = version;
    const proof = { baseline, comparison, isKept, forecast, ...(shortens && { shortens }) };
    await this.#add({ kind: 'decided', round, draft, version: id, ...proof });
    return undefined;
  }

  /** Chooses the changes of the draft and scores it. The level of its proof depends on the comparisons before. */
  async #completeDraft(): Promise<Ended | undefined> {
    const version = draftOf(this.#state);
    if (!this.#isProvable(version)) return this.#runs.limitNear(PROOF_SHARE);
    return this.#draft({ version, baseline: versionId(this.#state.best) });
  }

  /** Scores a draft before its proof. */
  async #draft({ version, ...about }: ToProve): Promise<Ended | undefined> {
    const { rounds, archive, current } = this.#state;
    const known = versionOf(archive, version.variant);
    const scored = known ?? (await this.#runs.score(version.variant, this.#place('drafted')));
    if (typeof scored === 'string') return scored;
    const compared = rounds.filter(({ comparison }) => comparison !== undefined).length;
    const confirmed = rounds.filter(({ isKept }) => isKept).length;
    await this.#add({
      kind: 'drafted',
      round: current.round,
      version: { ...version, score: scored.score, runs: known ? 0 : scored.runs },
      ...about,
      alpha: betting.levelOf({ trial: compared + 1, confirmed, attempt: 1 }, this.#options.alpha),
    });
    return undefined;
  }

  #place(step: RunPlace['step']): RunPlace {
    const { round, steps } = this.#state.current;
    return { step, round, steps };
  }

  /** Returns the same numbers for the same choice of the same step, also after an interruption. */
  #random(choice: 'parent' | 'parts'): Random {
    const { round, steps } = this.#state.current;
    return chance.seededRandom(
      Number.parseInt(hashing.hashHex(`${this.#id}:${choice}:${round}:${steps}`).slice(0, 8), 16),
    );
  }

  async #add(body: StepBody): Promise<void> {
    // The runs of a step that is not finished are counted when it is continued.
    const spent = body.kind === 'ended' ? NOTHING_SPENT : this.#runs.purse.endPart();
    const step: ImprovementStep = { ...body, atMs: this.#suite.clock.now(), spent };
    await this.#log.add(this.#id, step);
    this.#state = afterStep(this.#state, step);
    this.#options.onStep?.(step);
  }
}
