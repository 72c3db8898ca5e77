import { schemaOf } from '../../../integrations/skills/infer-schema.js';
import { Learner } from '../../../integrations/skills/learner.js';
import type { LearningRequest, LearningStep } from '../../../integrations/skills/learning-step.js';
import { programOf, runTests } from '../../../integrations/skills/run-tests.js';
import type { SkillContent } from '../../../integrations/skills/skill.js';
import { skillOf } from '../../../integrations/skills/skill-files.js';
import { testsOf } from '../../../integrations/skills/skill-tests.js';
import type { Json } from '../../../src/contract/json.js';
import { type Random, seededRandom } from '../../../src/lib/random.js';
import { VmSandbox } from '../../integrations/skills/vm-sandbox.js';
import { type LearnedTask, TASKS } from './tasks.js';
import { type DraftKind, randomWriter } from './writers.js';

/** Further tests of a skill that is called working, which neither the writer nor the learning saw. */
const FURTHER = 8;
/** Attempts of each learning. */
const ATTEMPTS = 12;

export interface LearningScore {
  readonly learned: number;
  /** Skills that are called working. */
  readonly working: number;
  /** Share of them that pass 8 further tests. */
  readonly passFurther: number;
  /** Drafts that are called working, by what they are. */
  readonly drafts: Readonly<Record<DraftKind, number>>;
}

/** Learns random tasks from so many examples by writers whose drafts are mostly wrong. */
export async function learnMany(count: number, examples: number): Promise<LearningScore> {
  const drafts = { right: 0, 'by-heart': 0, wrong: 0, broken: 0 };
  let [working, passing] = [0, 0];
  for (let index = 0; index < count; index++) {
    const random = seededRandom(1_000 * examples + index);
    const task = TASKS[index % TASKS.length] as LearnedTask; // within its length
    const pairs = await pairsOf(task, examples, random);
    const { saved, last } = await learn(task, pairs, random);
    if (!saved) continue;
    working++;
    drafts[last]++;
    const further = (await pairsOf(task, FURTHER, random)).map(([input, output]) => ({ input, output, hidden: true }));
    const { hidden } = await runTests({ ...saved, tests: further }, new VmSandbox());
    if (hidden.passed === hidden.of && hidden.of > 0) passing++;
  }
  return { learned: count, working, passFurther: passing / working, drafts };
}

async function learn(task: LearnedTask, examples: readonly (readonly [Json, Json])[], random: Random) {
  const { model, last } = randomWriter(task, random);
  const steps: LearningStep[] = [];
  let saved: SkillContent | undefined;
  const learner = new Learner('one', {
    model,
    sandbox: new VmSandbox(),
    log: { load: async () => steps, add: async (_, step) => void steps.push(step) },
    clock: { now: () => 0 },
    former: () => [],
    importable: async () => [],
    askForAccess: async () => 'waiting',
    freeName: (wanted) => wanted,
    save: async (content) => {
      saved = content;
      return { ...skillOf(content), version: 1, status: 'working' };
    },
    noteFailure: async () => {},
    emit: () => {},
  });
  const input = schemaOf(examples.map(([one]) => one));
  const request: LearningRequest = {
    directive: task.name,
    tests: testsOf(examples),
    attempts: ATTEMPTS,
    ...(input && { input }),
  };
  await learner.run(request);
  return { saved, last: last() };
}

/** Returns random inputs with the right outputs. */
async function pairsOf(task: LearnedTask, count: number, random: Random): Promise<readonly (readonly [Json, Json])[]> {
  const program = programOf({ code: { language: 'javascript', text: task.code } });
  const inputs = new Map<string, Json>();
  while (inputs.size < count) {
    const input = task.input(random);
    inputs.set(JSON.stringify(input), input);
  }
  return Promise.all(
    [...inputs.values()].map(async (input) => {
      const answer = program && (await new VmSandbox().run(program, input));
      if (answer?.kind !== 'answer') throw new Error(`${task.name} has no answer to ${JSON.stringify(input)}`);
      return [input, answer.output] as const;
    }),
  );
}
