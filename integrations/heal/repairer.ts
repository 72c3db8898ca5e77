import { type Clock, type Issue, redact } from 'rsi-loop';
import type { CodePatch } from 'rsi-loop/bench';
import { messageOf, recordedText } from 'rsi-loop/kit';
import { askPatch, type Patch } from './ask-patch.js';
import type { AttemptLimit } from './attempt-limit.js';
import type { CallCopy } from './call-probe.js';
import { type PatchCandidate, patchCandidates } from './candidates.js';
import type { Caught } from './describe-incident.js';
import { withBody } from './function-body.js';
import type { PatchSettings } from './heal-options.js';
import type { Incident, Repair } from './incident.js';
import { describeEnd, judgePatch, sameFailure } from './judge-patch.js';
import { mutantsOf } from './mutants.js';
import { type Power, powersIn } from './powers.js';
import { type ProbedCall, probeCalls, runProbes } from './probes.js';

export interface RepairerParts {
  readonly patch: PatchSettings;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly limit: AttemptLimit;
}

/** Failure with the copies that reproduce it. */
export interface Failed extends Pick<Caught, 'copy' | 'frames'> {
  /** Arguments of earlier calls. */
  readonly samples: readonly CallCopy[];
}

/** Failure that was reproduced on the branch as it is. */
interface Reproduced {
  readonly before: readonly ProbedCall[];
  readonly again: readonly ProbedCall[];
  /** Powers that the calls used. */
  readonly powers: readonly Power[];
  /** Which tests of the repository show that the function is tested. */
  readonly tests: string;
  /** Whether a test of the repository fails because of the bug. */
  readonly hasTest: boolean;
}

/** Failures that a change of code can mend. */
const PATCHABLE: ReadonlySet<Issue> = new Set(['unknown', 'validation', 'parse_error', 'not_found', 'tool_failure']);
const MAX_LINES = 40;
const MAX_REJECTED = 3;
/** Changes of a patch for which the tests run again. */
const MAX_MUTANTS = 5;

/** Repairs a function: reproduces the failure, asks a model for a patch, checks it, and hands it in for a person. */
export class Repairer {
  readonly #parts: RepairerParts;
  /** Why the last patches were rejected, for the next question. */
  #rejected: readonly string[] = [];

  constructor(parts: RepairerParts) {
    this.#parts = parts;
  }

  async repair(incident: Incident, failed: Failed): Promise<Repair> {
    const of = { incident: incident.id, task: incident.task };
    try {
      const end = await this.#attempt(incident, failed);
      if (end.kind === 'rejected') this.#rejected = [...this.#rejected, end.why].slice(-MAX_REJECTED);
      return { ...of, ...end };
    } catch (error) {
      return { ...of, kind: 'rejected', why: recordedText(messageOf(error).replace('rejected: ', ''), 500) };
    }
  }

  async #attempt(incident: Incident, failed: Failed) {
    const { patch, limit, clock } = this.#parts;
    if (!PATCHABLE.has(incident.issue)) {
      return skipped(`a change of code does not mend ${incident.issue}`);
    }
    if (failed.copy === undefined)
      return skipped('its arguments cannot be copied, so nothing can reproduce the failure');
    const { source, error } = incident;
    const place = `${source?.file ?? patch.file}:${source?.line ?? patch.name} ${error.name ?? ''}`;
    if (!limit.take(place, clock.monotonic())) return skipped(`3 attempts were made in the last hour for ${place}`);
    const reproduced = await this.#reproduce(failed.copy, failed.samples);
    if (typeof reproduced === 'string') return skipped(reproduced);
    const candidates = await patchCandidates(patch, failed.frames);
    if (candidates.length === 0) return skipped(`no function of the project was found in ${patch.file}`);
    const tests = await this.#testedBy(candidates);
    if (tests.candidates.length === 0) return skipped(tests.why);
    const answer = await askPatch(patch.model, incident, tests.candidates, this.#rejected);
    const chosen = tests.candidates.find(({ label }) => label === answer.function);
    if (!chosen) return rejected(`it names no function that may change: ${recordedText(answer.function, 100)}`);
    return this.#check(incident, answer, chosen, { ...reproduced, tests: tests.why, hasTest: tests.hasTest });
  }

  /** Makes the calls twice on the branch as it is. Returns why not, if the recorded one does not fail there. */
  async #reproduce(
    copy: CallCopy,
    samples: readonly CallCopy[],
  ): Promise<Pick<Reproduced, 'before' | 'again' | 'powers'> | string> {
    const { patch } = this.#parts;
    const calls = probeCalls(copy, samples);
    const before = await runProbes(patch, {}, calls);
    const again = await runProbes(patch, {}, calls);
    const [first, second] = [before.calls[0]?.end, again.calls[0]?.end];
    if (first?.kind !== 'threw' || !second || !sameFailure(first, second)) {
      return `the recorded call does not fail on ${patch.project.branch} as it is: ${describeEnd(first)}`;
    }
    return { before: before.calls, again: again.calls, powers: [...before.powers, ...again.powers] };
  }

  /**
   * Returns the candidates that tests of the repository notice: with a body that only throws, the tests fail. Tests that
   * fail on the branch as it is are to pass with the patch, which shows the same.
   */
  async #testedBy(candidates: readonly PatchCandidate[]) {
    const { project } = this.#parts.patch;
    const base = await project.check({});
    if (base.ok && base.failing !== undefined) {
      return {
        candidates,
        hasTest: true,
        why: `${recordedText(base.failing, 200)} before, and all tests pass with it`,
      };
    }
    const tested: PatchCandidate[] = [];
    for (const candidate of candidates) {
      const { file, text, found } = candidate;
      const broken = withBody(text, found, " throw new Error('this function is tested'); ");
      if (broken !== undefined && !(await project.check({ [file]: broken })).ok) tested.push(candidate);
    }
    const names = candidates.map(({ label }) => label).join(', ');
    const count = base.ok && base.passed !== undefined ? `${base.passed} tests` : 'the tests';
    return {
      candidates: tested,
      hasTest: false,
      why:
        tested.length > 0
          ? `${count} of the repository cover the function and pass`
          : `no test of the repository covers ${names}: add one`,
    };
  }

  async #check(incident: Incident, answer: Patch, { file, text, found, label }: PatchCandidate, facts: Reproduced) {
    const { patch } = this.#parts;
    const { project, model } = patch;
    const changed = withBody(text, found, answer.body);
    if (changed === undefined) return rejected('its brackets, texts or comments do not end inside of the function');
    if (changed === text) return rejected('it changes nothing');
    if (redact(answer.body) !== answer.body && redact(text) === text) return rejected('it contains a secret');
    const used = new Set([...facts.powers, ...powersIn(text.slice(found.start, found.bodyEnd + 1), text)]);
    const named = [...powersIn(answer.body, changed)].filter((power) => !used.has(power));
    const refused = this.#refused(named);
    if (refused) return refused;
    const code: CodePatch = { [file]: changed };
    const check = await project.check(code);
    if (!check.ok) return rejected(check.why);
    if (check.lines > MAX_LINES) return rejected(`it changes ${check.lines} lines of at most ${MAX_LINES}`);
    const after = await runProbes(patch, code, facts.before);
    const newPowers = [...new Set([...named, ...after.powers])].filter((power) => !used.has(power));
    const alsoRefused = this.#refused(newPowers);
    if (alsoRefused) return alsoRefused;
    const judged = judgePatch(facts.before, facts.again, after.calls, facts.hasTest);
    if (judged.kind === 'failed') return rejected(judged.why);
    const noticed = await this.#noticed(text, found, answer.body, file);
    const { error } = incident;
    const name = `${found.name}: ${error.name ?? 'Error'}: ${recordedText(error.message, 80)}`;
    const change = await project.submit(
      { name, code },
      {
        suite: `heal ${incident.task}`,
        seed: 0,
        comparisons: [],
        hypotheses: [answer.why],
        repair: {
          task: incident.task,
          place: label,
          before: `the recorded call ${describeEnd(facts.before[0]?.end)}`,
          after: `the recorded call ${judged.after}`,
          checks: [...(noticed.warning === undefined ? [`${facts.tests}${noticed.suffix}`] : []), ...judged.checks],
          warnings: [
            ...(noticed.warning === undefined ? [] : [noticed.warning]),
            ...newPowers.map((power) => `new power: ${power}, allowed by ${patch.powers?.by}`),
          ],
          by: model.name,
        },
      },
    );
    if (change.status === 'waiting') return { kind: 'proposed', change: change.id, place: label } as const;
    const { by = 'a person', reason = '' } = change.decision ?? {};
    return rejected(`the same change is ${change.status} by ${by}: ${reason}`);
  }

  /** Rejects a patch with powers that the function did not have, unless a person allows them. */
  #refused(powers: readonly Power[]) {
    const refused = powers.filter((power) => !this.#parts.patch.powers?.allow.includes(power));
    if (refused.length === 0) return undefined;
    return rejected(`it uses ${refused.join(', ')}, which the function did not: only a person can allow that`);
  }

  /** Changes the patch, one place at a time, and counts the changes that the tests notice. */
  async #noticed(text: string, found: PatchCandidate['found'], body: string, file: string) {
    const mutants = mutantsOf(text.slice(found.bodyStart, found.bodyEnd), body, MAX_MUTANTS);
    let noticed = 0;
    for (const mutant of mutants) {
      const code = withBody(text, found, mutant);
      if (code !== undefined && !(await this.#parts.patch.project.check({ [file]: code })).ok) noticed++;
    }
    if (mutants.length === 0) return { suffix: '' };
    const share = `${noticed} of ${mutants.length} changes of the patch`;
    return noticed > 0
      ? { suffix: `; they notice ${share}` }
      : { suffix: '', warning: `the tests notice ${share}: they are no evidence for it` };
  }
}

function skipped(why: string) {
  return { kind: 'skipped', why } as const;
}

function rejected(why: string) {
  return { kind: 'rejected', why } as const;
}
