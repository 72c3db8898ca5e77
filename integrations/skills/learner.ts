import { type Clock, LoopError, type Model, redact } from 'rsi-loop';
import { type ImprovementLog, recordedText } from 'rsi-loop/kit';
import { type Asking, askAnalysis, askDraft, askPlan, type FormerFailure, type Labelled } from './ask-model.js';
import {
  type Attempt,
  afterStep,
  type LearningRequest,
  type LearningState,
  type LearningStep,
  learningOf,
  type Plan,
} from './learning-step.js';
import { runTests, sentenceOf } from './run-tests.js';
import type { Sandbox, SandboxPermissions } from './sandbox.js';
import { asksForAccess, type Skill, type SkillContent, skillName } from './skill.js';
import type { LearningPhase, SkillEvent } from './skill-event.js';
import { MAX_DESCRIPTION } from './skill-files.js';
import type { StepBody } from './step-body.js';

/** Longest input that instructions show as an example. */
const MAX_SHOWN_INPUT = 300;

/** Answer of a person to the access that a skill asks for; `waiting` if there is none yet. */
export type AccessAnswer = { readonly granted: boolean; readonly by: string; readonly reason: string } | 'waiting';

export interface LearnerPorts {
  readonly model: Model;
  readonly sandbox: Sandbox;
  readonly log: ImprovementLog<LearningStep>;
  readonly clock: Pick<Clock, 'now'>;
  /** Returns failures of this and of similar directives. */
  readonly former: (directive: string) => readonly FormerFailure[];
  /** Returns the skills that the code may import. */
  readonly importable: (directive: string, self: string) => Promise<readonly Labelled[]>;
  /** Asks a person for access to the network or to files. */
  readonly askForAccess: (
    content: SkillContent,
    directive: string,
    signal: AbortSignal | undefined,
  ) => Promise<AccessAnswer>;
  /** Returns a name that no other skill has. */
  readonly freeName: (wanted: string) => string;
  /** Writes the skill to the folder. */
  readonly save: (content: SkillContent) => Promise<Skill>;
  readonly noteFailure: (failure: FormerFailure) => Promise<void>;
  readonly emit: (event: SkillEvent) => void;
}

/** Result of learning a directive. */
export type Learned =
  | { readonly kind: 'working'; readonly name: string; readonly hash: string; readonly attempts: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly attempts: number }
  /** A person has to grant access first. Learn the directive again after that: finished steps are not repeated. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly asks: SandboxPermissions };

/**
 * Learns one directive: plan, write, test, analyse, and write again. Each step is stored before the next begins, so that
 * an interrupted one continues and asks the model nothing twice. The skill is saved only if its hidden tests pass.
 */
export class Learner {
  readonly #ports: LearnerPorts;
  readonly #id: string;
  readonly #signal: AbortSignal | undefined;
  #state: LearningState = { attempts: [] };

  constructor(id: string, ports: LearnerPorts, signal?: AbortSignal) {
    this.#id = id;
    this.#ports = ports;
    this.#signal = signal;
  }

  async run(request: LearningRequest): Promise<Learned> {
    this.#state = learningOf(await this.#ports.log.load(this.#id));
    if (!this.#state.request) await this.#add({ kind: 'started', ...request });
    for (;;) {
      const { ended } = this.#state;
      if (ended) return learnedOf(ended, this.#state.attempts.length);
      this.#signal?.throwIfAborted();
      const waiting = await this.#next(this.#state.request ?? request);
      if (waiting) return waiting;
    }
  }

  /** Does the next step. Returns a result if a person has to answer first. */
  async #next(request: LearningRequest): Promise<Extract<Learned, { readonly kind: 'waiting' }> | undefined> {
    const { plan, access, attempts } = this.#state;
    const last = attempts.at(-1);
    if (last?.draft && !last.report && plan) await this.#test(request, plan, last);
    else if (last?.report?.working && plan) await this.#save(request, plan, last);
    else if (last && attempts.length >= request.attempts)
      await this.#end('failed', `${attempts.length} attempts failed: ${reasonOf(last)}`);
    else if (!plan) await this.#plan(request);
    else if (asksForAccess(plan.asks) && !access) return this.#ask(request, plan);
    else if (access?.granted === false) await this.#end('failed', `${access.by} rejected the access: ${access.reason}`);
    else if (last?.report && !last.analysis) await this.#analyse(request, last);
    else await this.#write(request, plan);
    return undefined;
  }

  async #plan(request: LearningRequest): Promise<void> {
    this.#tell('plan', `plans a skill for “${recordedText(request.directive, 200)}”`);
    await this.#askModel('plan', async (asking) => {
      const { plan, by } = await askPlan(request, this.#ports.former(request.directive), asking);
      const name =
        request.name ?? this.#ports.freeName(skillName(plan.name) ?? skillName(request.directive) ?? 'skill');
      return { kind: 'planned', by, plan: { ...plan, name } };
    });
  }

  async #ask(
    request: LearningRequest,
    plan: Plan,
  ): Promise<Extract<Learned, { readonly kind: 'waiting' }> | undefined> {
    this.#tell('ask', `${plan.name} asks for access, and a person decides`);
    const answer = await this.#ports.askForAccess(contentOf(request, plan), request.directive, this.#signal);
    if (answer === 'waiting')
      return { kind: 'waiting', asks: plan.asks, reason: `${plan.name} asks for access to the network or to files` };
    await this.#add({ kind: 'access', ...answer });
    return undefined;
  }

  async #write(request: LearningRequest, plan: Plan): Promise<void> {
    this.#tell('write', `writes ${plan.name}`);
    const { attempts } = this.#state;
    await this.#askModel('write', async (asking) => {
      const { directive } = request;
      const importable = await this.#ports.importable(directive, plan.name);
      const former = this.#ports.former(directive);
      const { draft, by } = await askDraft(request, plan, attempts, former, { ...asking, importable });
      return { kind: 'written', draft, by };
    });
  }

  async #test(request: LearningRequest, plan: Plan, { draft }: Attempt): Promise<void> {
    const content = contentOf(request, plan, draft);
    const allow = this.#state.access?.granted ? plan.asks : {};
    const report = await runTests(content, this.#ports.sandbox, {
      allow,
      ...(this.#signal && { signal: this.#signal }),
    });
    this.#signal?.throwIfAborted();
    this.#tell('test', sentenceOf(report));
    await this.#add({ kind: 'tested', report });
  }

  async #analyse(request: LearningRequest, attempt: Attempt): Promise<void> {
    this.#tell('analyse', 'asks for the cause');
    await this.#askModel('analyse', async (asking) => {
      const analysis = await askAnalysis(request, attempt, asking);
      await this.#ports.noteFailure({
        directive: request.directive,
        problem: reasonOf(attempt),
        cause: analysis.cause,
      });
      return { kind: 'analysed', analysis };
    });
  }

  async #save(request: LearningRequest, plan: Plan, { draft }: Attempt): Promise<void> {
    const skill = await this.#ports.save(contentOf(request, plan, draft));
    this.#tell('save', `saves ${skill.name}, version ${skill.version}`);
    await this.#end('working', 'all tests pass, also the hidden ones', skill);
  }

  /** Asks the model. A model that does not answer usably costs an attempt and does not end the learning. */
  async #askModel(phase: LearningPhase, ask: (asking: Asking) => Promise<Body>): Promise<void> {
    let step: Body;
    try {
      step = await ask({ model: this.#ports.model, signal: this.#signal });
    } catch (error) {
      // An interruption or a server that is down is no answer: learning continues later.
      if (!LoopError.is(error) || error.code !== 'model-answer') throw error;
      this.#tell(phase, `the model gave no usable answer: ${error.message}`);
      step = { kind: 'unanswered', problem: error.message };
    }
    await this.#add(step);
  }

  #end(result: 'working' | 'failed', reason: string, skill?: Skill): Promise<void> {
    return this.#add({ kind: 'ended', result, reason, ...(skill && { name: skill.name, hash: skill.hash }) });
  }

  async #add(body: Body): Promise<void> {
    const step: LearningStep = { ...body, atMs: this.#ports.clock.now() };
    await this.#ports.log.add(this.#id, step);
    this.#state = afterStep(this.#state, step);
  }

  #tell(phase: LearningPhase, note: string): void {
    const attempt = this.#state.attempts.length + Number(phase === 'write');
    this.#ports.emit({ kind: 'learning-phase', directive: this.#state.request?.directive ?? '', phase, attempt, note });
  }
}

type Body = StepBody<LearningStep>;

function learnedOf({ result, reason, name, hash }: NonNullable<LearningState['ended']>, attempts: number): Learned {
  return result === 'working' && name !== undefined && hash !== undefined
    ? { kind: 'working', name, hash, attempts }
    : { kind: 'failed', reason, attempts };
}

function contentOf(
  { tests, input, output, directive }: LearningRequest,
  plan: Plan,
  draft?: Attempt['draft'],
): SkillContent {
  const description = recordedText(plan.description, MAX_DESCRIPTION);
  const whenNot = recordedText(plan.whenNot, 500);
  const steps = plan.steps.map((step, at) => `${at + 1}. ${recordedText(step, 300)}\n`).join('');
  return {
    name: plan.name,
    description,
    ...(whenNot !== '' && { whenNot }),
    body: `# ${plan.name}\n\nLearned from: ${recordedText(directive, 1_000)}\n${steps === '' ? '' : `\n${steps}`}${howToRun(plan.name, tests)}`,
    ...(draft && { code: { language: draft.language, text: draft.code } }),
    ...(input && { input }),
    ...(output && { output }),
    tests,
    ...(asksForAccess(plan.asks) && { asks: plan.asks }),
  };
}

/** Returns the part of the instructions for agents that have a shell and no tool for the skill. */
function howToRun(name: string, tests: LearningRequest['tests']): string {
  const shown = tests.find(({ hidden, input }) => !hidden && JSON.stringify(input).length <= MAX_SHOWN_INPUT);
  const input = shown === undefined ? '{…}' : redact(JSON.stringify(shown.input)).replaceAll("'", "'\\\\''");
  return `
## Run

Run it instead of doing the work by hand. In a shell, with the folder that contains the folder of this file as <skills>:

    npx rsi-loop skill run ${name} --skills <skills> --input '${input}'

It prints the output as JSON. \`tests.json\` has the schemas of input and output. If it is untested on this machine, run
\`npx rsi-loop skill test ${name} --skills <skills>\` once.
`;
}

function reasonOf({ report, problem }: Attempt): string {
  if (problem !== undefined) return problem;
  return report?.failures[0]?.problem ?? (report ? sentenceOf(report) : 'it was not tested');
}
