import { type Fix, type Json, LoopError, type Model, type SkillChange } from 'rsi-loop';
import { askedFixes, hashing, messageOf, mustBe, showValue } from 'rsi-loop/kit';
import { accessWords, mustBeAllowed } from './access.js';
import type { SkillContext } from './context.js';
import type { FolderCare } from './folder-care.js';
import { accessKey } from './grants.js';
import { importableFor } from './importable.js';
import { schemaOf } from './infer-schema.js';
import { type AccessAnswer, type Learned, Learner, type LearnerPorts } from './learner.js';
import { type LearningRequest, learningOf } from './learning-step.js';
import type { Directive } from './memory.js';
import { type Mutated, Mutation } from './mutation.js';
import { readSchema } from './read-schema.js';
import { asksForAccess, isSkillName, type Skill, type SkillContent, type SkillTest, type SkillText } from './skill.js';
import { skillOf } from './skill-files.js';
import { testsOf } from './skill-tests.js';
import { checkValue, type ValueSchema } from './value-schema.js';

/** Options of `learn`. */
export interface LearnOptions {
  /** Inputs with their outputs, at least one; better 24 or more. Half of them are hidden from the model. */
  readonly examples: readonly (readonly [input: Json, output: Json])[];
  /** 1 to 12. Default 12. */
  readonly attempts?: number;
  /** Name of the skill. Default: the model names it. */
  readonly name?: string;
  /** Schema of the input, if it is wider than the examples show. */
  readonly input?: ValueSchema;
  readonly output?: ValueSchema;
  readonly signal?: AbortSignal;
}

/** Queued directive and what came out of it. */
export interface LearnedDirective {
  readonly directive: string;
  readonly learned: Learned;
}

const MAX_ATTEMPTS = 12;
const MAX_DIRECTIVE = 4_000;
const MAX_NAMES = 1_000;

/** Learning and changing skills of a folder by a model. */
export class Learning {
  readonly #context: SkillContext;
  readonly #care: FolderCare;

  constructor(context: SkillContext, care: FolderCare) {
    this.#context = context;
    this.#care = care;
  }

  /**
   * Learns a directive. An interrupted one continues; one that failed begins again and sees its failures.
   * @throws LoopError `invalid-input` for options out of range, and the error of a model that does not answer.
   */
  async learn(directive: string, options: LearnOptions): Promise<Learned> {
    const request = requestOf(directive, options);
    const learner = new Learner(await this.#idOf(request), this.#ports(), options.signal);
    return learner.run(request);
  }

  /** Adds a directive to the queue, to be learned by `learnQueued`. */
  queue(directive: string, examples: LearnOptions['examples']): Promise<Directive> {
    requestOf(directive, { examples });
    return this.#context.memory.queue(directive, examples);
  }

  /** Learns all queued directives, one after the other. Those that wait for a person stay in the queue. */
  async learnQueued(signal?: AbortSignal): Promise<readonly LearnedDirective[]> {
    const { memory } = this.#context;
    const results: LearnedDirective[] = [];
    for (const { id, directive, examples, status } of memory.directives) {
      if (status !== 'queued' || examples.length === 0) continue;
      const learned = await this.learn(directive, { examples, ...(signal && { signal }) });
      if (learned.kind === 'working') await memory.end(id, true, learned.name);
      if (learned.kind === 'failed') await memory.end(id, false, learned.reason);
      results.push({ directive, learned });
    }
    return results;
  }

  /**
   * Changes a copy of a skill by the model until its tests pass. The child replaces a parent that does not work. If the
   * parent works, the child becomes its candidate, which is compared on the same calls.
   */
  async mutate(name: string, directive: string, signal?: AbortSignal): Promise<Mutated> {
    const { registry, logs, sandbox, clock, emit, grants } = this.#context;
    const parent = await registry.skill(name);
    const key = hashing.hashHex(`${parent.hash} ${directive}`);
    const ended = async (id: string) => (await logs.mutations.load(id)).some(({ kind }) => kind === 'ended');
    const mutation = new Mutation(await firstOpen(`${name.slice(0, 40)}-${key}`, ended), parent, {
      model: this.#model(),
      log: logs.mutations,
      allow: grants.accessOf(parent),
      importable: () => importableFor(registry, directive, name),
      save: (text) => this.#register(parent, text),
      sandbox,
      clock,
      emit,
    });
    return mutation.run(directive, signal);
  }

  /** Writes a child: in the place of its parent, or beside it. */
  async #register(parent: Skill, text: SkillText): Promise<Skill> {
    const { registry, facts, emit } = this.#context;
    const record = { parent: parent.hash, version: parent.version + 1, status: 'working' } as const;
    const child: Skill = { ...text, ...record };
    await facts.set(child, record);
    const isSafe = parent.status === 'working' && parent.deprecated === undefined;
    await (isSafe ? this.#care.addCandidate(child) : registry.put(child.name, child.files, record));
    emit({ kind: 'skill-saved', name: child.name, hash: child.hash, status: child.status });
    return child;
  }

  #ports(): LearnerPorts {
    const { sandbox, logs, clock, memory, emit, registry } = this.#context;
    return {
      model: this.#model(),
      log: logs.learning,
      former: (directive) => memory.former(directive),
      importable: (directive, self) => importableFor(registry, directive, self),
      askForAccess: (content, directive, signal) => this.#askForAccess(content, directive, signal),
      freeName: (wanted) => freeName(wanted, new Set(registry.summaries().map(({ name }) => name))),
      save: (content) => this.#save(content),
      noteFailure: (failure) => memory.noteFailure(failure),
      sandbox,
      clock,
      emit,
    };
  }

  async #save(content: SkillContent): Promise<Skill> {
    const { registry, emit, grants, clock } = this.#context;
    const current = registry.summaries().find(({ name }) => name === content.name);
    const text = skillOf(withWideSchemas(content));
    if (current?.hash === text.hash) return registry.skill(text.name);
    // The person who granted access for learning granted it for what was learned.
    if (asksForAccess(content.asks))
      await grants.set(accessKey(text), {
        granted: true,
        by: 'learning',
        reason: 'granted while it was learned',
        atMs: clock.now(),
      });
    const skill = await registry.put(text.name, text.files, {
      version: (current?.version ?? 0) + 1,
      status: 'working',
      ...(current && { parent: current.hash }),
    });
    emit({ kind: 'skill-saved', name: skill.name, hash: skill.hash, status: skill.status });
    return skill;
  }

  async #askForAccess(
    content: SkillContent,
    directive: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<AccessAnswer> {
    const { grants, gate, clock, allow } = this.#context;
    try {
      mustBeAllowed(content, allow);
    } catch (error) {
      return { granted: false, by: 'openSkills', reason: messageOf(error) };
    }
    const key = accessKey(content, directive);
    const known = grants.of(key);
    if (known) return known;
    const decision = await gate?.decide(accessFix(content, directive, clock.now()), { signal });
    if (!decision || decision.kind === 'waiting') {
      await grants.ask(key, { name: content.name, words: accessWords(content), atMs: clock.now() });
      return 'waiting';
    }
    const answer = {
      granted: decision.kind === 'approved',
      by: decision.by,
      reason: decision.reason ?? 'approved',
      atMs: decision.atMs,
    };
    await grants.set(key, answer);
    return answer;
  }

  /** Returns the id of the newest learning of this request that has not ended without a skill. */
  async #idOf(request: LearningRequest): Promise<string> {
    const { logs, registry } = this.#context;
    const { attempts: _, ...about } = request;
    return firstOpen(hashing.hashHex(JSON.stringify(about)), async (id) => {
      const { ended } = learningOf(await logs.learning.load(id));
      if (!ended) return false;
      return !(ended.result === 'working' && registry.summaries().some(({ hash }) => hash === ended.hash));
    });
  }

  #model(): Model {
    const { model } = this.#context;
    if (model) return model;
    throw new LoopError('invalid-input', 'there is no model to learn with: give openSkills a model');
  }
}

/** Returns a skill whose schemas allow its hidden examples too. Until it is saved, its writer may not see these. */
function withWideSchemas({ input, output, ...content }: SkillContent): SkillContent {
  const wide = (schema: ValueSchema | undefined, values: readonly Json[]) =>
    schema && values.some((one) => checkValue(one, schema) !== undefined) ? schemaOf(values) : schema;
  const [asked, answered] = [content.tests.map((test) => test.input), content.tests.map((test) => test.output)];
  const schemas = { input: wide(input, asked), output: wide(output, answered) };
  return {
    ...content,
    ...(schemas.input && { input: schemas.input }),
    ...(schemas.output && { output: schemas.output }),
  };
}

/** Returns the first id of a series that is not over. */
async function firstOpen(id: string, isOver: (id: string) => Promise<boolean>): Promise<string> {
  for (let number = 1; ; number++) if (!(await isOver(`${id}-${number}`))) return `${id}-${number}`;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; number <= MAX_NAMES; number++)
    if (!taken.has(`${wanted.slice(0, 58)}-${number}`)) return `${wanted.slice(0, 58)}-${number}`;
  throw new LoopError('invalid-input', `${MAX_NAMES} skills are called ${wanted}: give a name`);
}

/** @throws LoopError `invalid-input` naming the option. */
function requestOf(directive: string, options: LearnOptions): LearningRequest {
  const { examples, attempts = MAX_ATTEMPTS, name } = options;
  const isText = typeof directive === 'string' && directive.trim() !== '' && directive.length <= MAX_DIRECTIVE;
  mustBe(
    isText,
    'the directive',
    showValue(directive),
    `1 to ${MAX_DIRECTIVE} characters that say what the skill does`,
  );
  const arePairs = Array.isArray(examples) && examples.every((one) => Array.isArray(one) && one.length === 2);
  const given = Array.isArray(examples) ? `a list of ${examples.length}` : showValue(examples);
  mustBe(arePairs && examples.length > 0, 'examples', given, 'at least one pair of input and output');
  const isCount = Number.isInteger(attempts) && attempts >= 1 && attempts <= MAX_ATTEMPTS;
  mustBe(isCount, 'attempts', attempts, `1 to ${MAX_ATTEMPTS}`);
  mustBe(name === undefined || isSkillName(name), 'name', name, 'lowercase letters, digits and single hyphens');
  const tests = testsOf(examples);
  const schemas = schemasOf(options, tests);
  return { directive, tests, attempts, ...(name !== undefined && { name }), ...schemas };
}

/** Returns the given schemas, or those that the open examples show: the writer sees them, and must see nothing hidden. */
function schemasOf(
  { examples, ...given }: LearnOptions,
  tests: readonly SkillTest[],
): Pick<LearningRequest, 'input' | 'output'> {
  const open = tests.filter(({ hidden }) => !hidden);
  const shown = open.length > 0 ? open : tests;
  const input = given.input ? readSchema(given.input, 'input') : schemaOf(shown.map((test) => test.input));
  const output = given.output ? readSchema(given.output, 'output') : schemaOf(shown.map((test) => test.output));
  for (const [at, [one, other]] of examples.entries()) {
    const problem =
      (given.input && input && checkValue(one, input, `the input of example ${at + 1}`)) ??
      (given.output && output && checkValue(other, output, `the output of example ${at + 1}`));
    if (problem !== undefined) throw new LoopError('invalid-input', problem);
  }
  return { ...(input && { input }), ...(output && { output }) };
}

/** Returns the question for a gate: a fix that describes the skill and the access it asks for. */
function accessFix(content: SkillContent, directive: string, atMs: number): Fix {
  const { name, description } = content;
  const asks = accessWords(content);
  const change: SkillChange = {
    kind: 'skill',
    scope: { task: name },
    name,
    hash: '',
    description,
    asks,
    unit: 'task',
    undo: { withdraw: '' },
  };
  return askedFixes.questionFix(
    {
      id: askedFixes.fixIdOf(askedFixes.ideaOf(name), change.kind, accessKey(content, directive)),
      about: name,
      task: name,
      issue: 'missing_tool',
      change,
      reason: `to learn “${directive}”, the skill ${name} asks for: ${asks.join(', ')}`,
      notTestable: 'access is granted before there is code',
    },
    atMs,
  );
}
