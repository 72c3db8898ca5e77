import { type Answer, type Clock, type Fix, type Json, type JsonObject, LoopError } from 'rsi-loop';
import {
  deciding,
  Emitter,
  judgedParts,
  type LoopHandle,
  messageOf,
  modelAnswers,
  partsOf,
  showValue,
} from 'rsi-loop/kit';
import type { CallOptions } from './call.js';
import { Caller } from './caller.js';
import type { SkillContext } from './context.js';
import { Facts } from './facts.js';
import { FolderCare, type SkillVersion } from './folder-care.js';
import { Grants } from './grants.js';
import { Learning } from './learning.js';
import type { LibraryOptions } from './library-options.js';
import { type MemoryView, SkillMemory } from './memory.js';
import { isGiven, type Proofs, proofsIn, proposeProof } from './proof.js';
import { Registry, type RejectedSkill } from './registry.js';
import { MOST_OFFERED } from './retrieval.js';
import { runTests, type TestReport } from './run-tests.js';
import { SharingSandbox } from './shared-code.js';
import type { Skill, SkillSummary } from './skill.js';
import { SkillAccess } from './skill-access.js';
import type { SkillEvent } from './skill-event.js';
import { addSkillKind } from './skill-kind.js';
import { UsageCounts } from './usage.js';
import { type ListedSkill, listedSkill, type MetaView, metaView, type OfferedSkill, offered } from './views.js';

/** Options of an offer of skills for a task. */
export interface OfferOptions {
  /** 1 to 3. Default 3. */
  readonly limit?: number;
  /** Minimum score, 0 to 1. A higher one offers less often. Default: learned from the skills. */
  readonly least?: number;
  /** Parts of fixes that the task was given: see `loop.run`. */
  readonly given?: readonly JsonObject[];
}

/** Folder of skills: what an agent may call, what it learns, and what is kept of it. */
export class SkillLibrary {
  readonly #context: SkillContext;
  readonly #events: Emitter<SkillEvent>;
  readonly #learning: Learning;
  readonly #care: FolderCare;
  readonly #caller: Caller;
  readonly #access: SkillAccess;
  readonly #background = new Set<Promise<unknown>>();
  #opening: Promise<void> | undefined;
  #stopListening: readonly (() => void)[] = [];

  constructor(loop: LoopHandle, { files: folder, logs, sandbox, model, embedder, allow = {}, gate }: LibraryOptions) {
    if (model !== undefined) modelAnswers.mustBeModel(model);
    const { clock, report } = partsOf(loop);
    const offered = new Set<string>();
    addSkillKind(loop, (hash) => offered.has(hash));
    this.#events = new Emitter<SkillEvent>((kind, error) =>
      report({ where: 'skills', message: `a handler of ${kind} failed: ${messageOf(error)}` }),
    );
    const usage = new UsageCounts(folder, clock as Clock, (error) =>
      report({ where: 'skills', message: messageOf(error) }),
    );
    const facts = new Facts(folder, clock);
    const registry = new Registry({
      folder,
      facts,
      clock,
      ...(embedder && { embedder }),
      onProblem: (error) => this.#events.emit({ kind: 'problem', message: `the embedder failed: ${messageOf(error)}` }),
      onSeen: ({ hash }) => {
        usage.see(hash);
        offered.add(hash);
      },
    });
    this.#context = {
      loop,
      clock,
      folder,
      logs,
      registry,
      usage,
      sandbox: new SharingSandbox(sandbox, folder, facts),
      allow,
      facts,
      grants: new Grants(folder),
      memory: new SkillMemory(logs.memory, clock),
      candidates: new Map(),
      emit: (event) => this.#events.emit(event),
      ...(model && { model }),
      ...(gate && { gate }),
    };
    this.#care = new FolderCare(this.#context);
    this.#access = new SkillAccess(this.#context);
    this.#learning = new Learning(this.#context, this.#care);
    this.#caller = new Caller(this.#context, this.#care, (work) => this.#inBackground(work));
  }

  /** Resolves when the folder has been read. Every verb waits for it. */
  ready(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Calls the handler for every event of that kind. Returns an unsubscribe function. */
  on<Kind extends SkillEvent['kind']>(
    kind: Kind,
    handler: (event: Extract<SkillEvent, { kind: Kind }>) => void,
  ): () => void {
    return this.#events.on(kind, handler);
  }

  /** Learns a directive: see `Learning.learn`. */
  readonly learn: Learning['learn'] = async (directive, options) => {
    await this.#fresh();
    return this.#noted(this.#learning.learn(directive, options));
  };

  /** Adds a directive to the queue, for `learnQueued`. */
  readonly queue: Learning['queue'] = async (directive, examples) => {
    await this.#fresh();
    return this.#noted(this.#learning.queue(directive, examples));
  };

  /** Learns the queued directives, one after the other. */
  readonly learnQueued: Learning['learnQueued'] = async (signal) => {
    await this.#fresh();
    return this.#noted(this.#learning.learnQueued(signal));
  };

  /** Changes a copy of a skill by the model until its tests pass: see `Learning.mutate`. */
  readonly mutate: Learning['mutate'] = async (name, directive, signal) => {
    await this.#fresh();
    return this.#noted(this.#learning.mutate(name, directive, signal));
  };

  /**
   * Returns at most 3 active skills that fit a task, best first; none if nothing fits. Pass `given` of the task from
   * `loop.run` or `loop.begin`: skills whose proof is open are offered only to tasks of the fix arm.
   */
  async nearest(
    text: string,
    { limit = MOST_OFFERED, least, given }: OfferOptions = {},
  ): Promise<readonly OfferedSkill[]> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_OFFERED)
      throw new LoopError('invalid-input', `limit is ${showValue(limit)}: give 1 to ${MOST_OFFERED}`);
    if (least !== undefined && !(least >= 0 && least <= 1))
      throw new LoopError('invalid-input', `least is ${showValue(least)}: give 0 to 1`);
    await this.#fresh();
    const proofs = this.#proofs();
    const isOpen = (summary: SkillSummary) => isGiven(summary, proofs, given);
    const matches = await this.#context.registry
      .search()
      .nearest(text, { limit, isOpen, ...(least !== undefined && { least }) });
    return matches.map(({ entry, score }) => offered(entry, score));
  }

  /**
   * Runs a skill in the sandbox and returns its answer. The loop records the call as an outcome of the skill's name. Input
   * that does not match the schema is rejected before, and does not count against the skill.
   * @throws LoopError `invalid-input` for an unknown skill, one that is not active, and input against the schema;
   * `not-accepted` if it lacks access; `skill-failed` if it fails.
   */
  async call(name: string, input: Json, options: CallOptions = {}): Promise<Json> {
    await this.ready();
    return this.#caller.call(name, input, options);
  }

  /** Returns all skills of the folder by name, with their use and their proof. */
  async list(): Promise<readonly ListedSkill[]> {
    await this.#fresh();
    const { registry, usage } = this.#context;
    const proofs = this.#proofs();
    return registry.summaries().map((summary) => listedSkill(summary, usage.of(summary.hash), proofs));
  }

  /** Returns the skills that were not read, and why. */
  async rejected(): Promise<readonly RejectedSkill[]> {
    await this.#fresh();
    return this.#context.registry.rejected();
  }

  /** Returns the instructions of a skill with the names of its files. Counts as use. */
  async instructions(name: string): Promise<string> {
    await this.#fresh();
    return this.#access.instructions(name);
  }

  /** Returns a file of a skill: a text, or bytes if it is not in UTF-8. Counts as use. */
  async readFile(name: string, path: string): Promise<string | Uint8Array> {
    await this.#fresh();
    return this.#access.readFile(name, path);
  }

  /** Returns everything about a skill. Its texts are untrusted. */
  async show(name: string): Promise<Skill> {
    await this.ready();
    return this.#context.registry.skill(name);
  }

  /** Runs the tests of a skill and writes its status. */
  async test(name: string, signal?: AbortSignal): Promise<TestReport> {
    await this.#fresh();
    const { registry, facts, sandbox, grants } = this.#context;
    const skill = await registry.skill(name);
    const report = await runTests(skill, sandbox, { allow: grants.accessOf(skill), ...(signal && { signal }) });
    signal?.throwIfAborted();
    const status = report.working ? 'working' : report.open.of + report.hidden.of === 0 ? 'untested' : 'failed';
    if (skill.code) await facts.setStatus(skill, status);
    await this.#care.writeViews();
    return report;
  }

  /** Stops offering a skill. `revive` reverses it. */
  async deprecate(name: string, reason: string): Promise<void> {
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new LoopError('invalid-input', `reason of deprecate is ${showValue(reason)}: say why`);
    await this.#fresh();
    await this.#noted(this.#care.deprecate(name, reason));
  }

  /** Accepts a skill whose texts a person has read, although they look like instructions. Other files ask again. */
  async trust(name: string, answer: Answer): Promise<void> {
    await this.#fresh();
    await this.#noted(this.#care.trust(name, deciding.checkDecision('trust', answer)));
  }

  /** Offers a deprecated skill again, or restores the newest version of one that was pruned. */
  async revive(name: string): Promise<void> {
    await this.#fresh();
    await this.#noted(this.#care.revive(name));
  }

  /** Makes a candidate the current version, without a comparison. */
  async promote(name: string): Promise<void> {
    await this.#fresh();
    await this.#noted(this.#care.promote(name));
  }

  /**
   * Removes skills that were neither used nor proven in 90 days, and returns their names. Their versions are kept, so
   * that `revive` restores them. `dry` only returns the names.
   */
  async prune({ dry = false }: { readonly dry?: boolean } = {}): Promise<readonly string[]> {
    await this.#fresh();
    return this.#noted(this.#care.prune(dry, this.#proofs()));
  }

  /** Returns every version of a skill, or of all skills, with its parent; oldest first. */
  async tree(name?: string): Promise<readonly SkillVersion[]> {
    await this.#fresh();
    return this.#care.tree(name);
  }

  /** Proposes to prove a skill: tasks of this name are offered it at random, and it stays only if they fail less. */
  async prove(name: string, options: Answer & { readonly task: string }): Promise<Fix> {
    const { by, reason } = deciding.checkDecision('prove', options);
    await this.#fresh();
    const skill = await this.#context.registry.skill(name);
    await this.#caller.mustBeCallable(skill);
    const answer = { by, ...(reason !== undefined && { reason }) };
    await this.#context.loop.ready();
    return proposeProof(judgedParts(this.#context.loop), skill, { ...answer, task: options.task });
  }

  /** Grants the access that a skill asks for. It holds for this code only. */
  async grant(name: string, answer: Answer): Promise<void> {
    await this.#fresh();
    await this.#care.answerAccess(name, true, deciding.checkDecision('grant', answer));
  }

  /** Denies the access that a skill asks for. */
  async deny(name: string, answer: Answer): Promise<void> {
    await this.#fresh();
    await this.#care.answerAccess(name, false, deciding.checkDecision('deny', answer));
  }

  /** Returns the memory as `memory.json` holds it. */
  async memory(): Promise<MemoryView> {
    await this.#fresh();
    return this.#context.memory.view(this.#context.registry.summaries());
  }

  /** Adds the failures and directives of a `memory.json`, of this or another agent. */
  async importMemory(text: string): Promise<{ readonly failures: number; readonly directives: number }> {
    await this.#fresh();
    return this.#noted(this.#context.memory.import(text));
  }

  /** Returns the registry of capabilities as `meta.json` holds it. */
  async meta(): Promise<MetaView> {
    await this.#fresh();
    return metaView(this.#context.registry.summaries(), this.#context.usage);
  }

  /** Writes the counts, waits for background work, and closes the sandbox. */
  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    await Promise.allSettled([...this.#background]);
    await this.#context.usage.flush();
    await this.#context.logs.close?.();
    await this.#context.sandbox.close();
  }

  async #open(): Promise<void> {
    const { usage, grants, memory, registry, loop } = this.#context;
    await Promise.all([usage.open(), grants.open(), memory.open(), loop.ready()]);
    await registry.refresh('now');
    await this.#care.open();
    await this.#care.followProofs();
    const follow = () => this.#inBackground(this.#care.followProofs());
    const { events } = partsOf(loop);
    this.#stopListening = [events.on('verdict', follow), events.on('fix-rolled-back', follow)];
  }

  async #fresh(): Promise<void> {
    await this.ready();
    await this.#context.registry.refresh();
  }

  /** Resolves as the work does, once the views of the folder are written. */
  async #noted<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } finally {
      await this.#care.writeViews();
    }
  }

  #proofs(): Proofs {
    return proofsIn(partsOf(this.#context.loop).ledger.state.fixes.values());
  }

  #inBackground(work: Promise<unknown>): void {
    const safe: Promise<unknown> = work
      .catch((error: unknown) => this.#events.emit({ kind: 'problem', message: messageOf(error) }))
      .finally(() => this.#background.delete(safe));
    this.#background.add(safe);
  }
}
