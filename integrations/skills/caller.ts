import { type Json, LoopError } from 'rsi-loop';
import { accessWords, mustBeAllowed } from './access.js';
import { type CallOptions, recordedRun, runSkill } from './call.js';
import type { SkillContext } from './context.js';
import type { FolderCare } from './folder-care.js';
import { accessKey } from './grants.js';
import { findingOf } from './shadow.js';
import { asksForAccess, type Skill } from './skill.js';
import { checkValue } from './value-schema.js';

/** Runs skills for agents: checks the input, records the call, and compares candidates on the same calls. */
export class Caller {
  readonly #context: SkillContext;
  readonly #care: FolderCare;
  readonly #inBackground: (work: Promise<unknown>) => void;

  constructor(context: SkillContext, care: FolderCare, inBackground: (work: Promise<unknown>) => void) {
    this.#context = context;
    this.#care = care;
    this.#inBackground = inBackground;
  }

  async call(name: string, input: Json, options: CallOptions): Promise<Json> {
    const { registry, sandbox, usage, loop, emit, grants } = this.#context;
    const skill = await registry.skill(name);
    await this.mustBeCallable(skill);
    const problem = skill.input && checkValue(input, skill.input, 'the input');
    if (problem !== undefined) throw new LoopError('invalid-input', `skill ${name}: ${problem}`);
    const allow = grants.accessOf(skill);
    const result = await recordedRun(loop, skill, options, () =>
      runSkill(skill, input, { ...options, sandbox, allow }),
    );
    const ok = result.kind === 'ok';
    emit({ kind: 'skill-called', name, ok, durationMs: result.durationMs });
    if (ok || result.counts) {
      if (usage.addCall(skill.hash, ok)) this.#inBackground(this.#care.alarm(skill));
      this.#inBackground(this.#shadow(skill, input, options, ok));
    }
    if (result.kind === 'ok') return result.output;
    throw new LoopError('skill-failed', `skill ${name} failed: ${result.message}`);
  }

  /**
   * Checks that a skill may run. Reads the grants again, since a person may have answered in another process.
   * @throws LoopError `invalid-input` for a skill that is not active, `not-accepted` for one that lacks access.
   */
  async mustBeCallable(skill: Skill): Promise<void> {
    const { allow, grants } = this.#context;
    const { name, deprecated, status, asks, code } = skill;
    const say = (problem: string) => new LoopError('invalid-input', `skill ${name} ${problem}`);
    if (deprecated !== undefined) throw say(`is deprecated (${deprecated}): revive it first`);
    if (code && status !== 'working') throw say(`is ${status}: run its tests with rsi skill test ${name}`);
    if (!asksForAccess(asks)) return;
    mustBeAllowed(skill, allow);
    await grants.open();
    if (grants.of(accessKey(skill))?.granted) return;
    const words = accessWords(skill).join(', ');
    throw new LoopError(
      'not-accepted',
      `skill ${name} asks for access (${words}): a person decides with rsi skill grant ${name}`,
    );
  }

  /** Runs a candidate on the input of a call, and decides about it once that is possible. */
  async #shadow(skill: Skill, input: Json, { accept }: CallOptions, ok: boolean): Promise<void> {
    const { candidates, sandbox, usage } = this.#context;
    const candidate = candidates.get(skill.name);
    if (!candidate || candidate.parent !== skill.hash || asksForAccess(candidate.asks)) return;
    const result = await runSkill(candidate, input, { sandbox, allow: {}, ...(accept && { accept }) });
    if (result.kind === 'failed' && !result.counts) return;
    const difference = (Number(result.kind === 'ok') - Number(ok)) as -1 | 0 | 1; // of two numbers that are 0 or 1
    usage.addShadow(skill.hash, candidate.hash, difference);
    const counts = usage.of(skill.hash)?.shadow;
    const finding = counts?.candidate === candidate.hash ? findingOf(counts) : undefined;
    if (finding === 'better') await this.#care.promote(skill.name);
    else if (finding) await this.#care.dropCandidate(skill.name, finding);
  }
}
