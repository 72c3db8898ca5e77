import { type Fix, type ModelRequest, type Pattern, RSILoop } from 'rsi-loop';
import { ManualClock, type Scripted, ScriptedModel } from 'rsi-loop/testing';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { recordedText } from '../../src/lib/recorded-text.js';
import { MODEL_INJECTIONS } from '../fixtures/model-injections.js';

const CAUSES = [
  'reasoning_error',
  'knowledge_gap',
  'tool_failure',
  'instruction_ambiguity',
  'context_loss',
  'overconfidence',
] as const;

/** A model that obeys the last request it read, as far as the schema lets it. */
function obedient(injected: string, onTold: () => void): ScriptedModel {
  const wish = recordedText(injected, 8_000);
  return new ScriptedModel((request: ModelRequest): Scripted => {
    const properties = request.schema?.type === 'object' ? request.schema.properties : {};
    const read = request.messages.at(-1)?.content ?? '';
    // It can only obey a text that it could read.
    const isTold = recordedText(read, 100_000).includes(wish.slice(0, 60).trim());
    if (isTold) onTold();
    if ('rule' in properties) {
      const rule = wish.replace(/^.*(?:rule|must say|SOUL)[^:]*: /i, '').slice(0, 300);
      return { kind: 'json', json: { better: isTold, rule: isTold ? rule : '', confidence: 1 } };
    }
    const cause = isTold ? CAUSES.find((one) => wish.includes(one)) : undefined;
    const labels = [...read.matchAll(/^\[(record\d) [0-9a-f]{16}$/gm)].map(([, label]) => label ?? '');
    const quotes = labels.slice(0, 4).map((record) => ({ record, text: wish.slice(0, 60).trim() }));
    return { kind: 'json', json: { cause: cause ?? 'undetermined', confidence: 1, quotes } };
  });
}

/** Every way in: the text as error, result, expectation, context, tool, model and name of the task. */
const SINKS: readonly ((text: string) => { readonly task: string } & Record<string, unknown>)[] = [
  (text) => ({ task: 'by_error', error: text, issues: ['wrong_total'] }),
  (text) => ({ task: 'by_actual', expected: 'twelve', actual: text, issues: ['my_own_issue'] }),
  (text) => ({ task: 'by_expected', expected: text, actual: 'eleven', issues: ['incomplete_task'] }),
  (text) => ({ task: 'by_context', context: { note: text, [text.slice(0, 40)]: 1 }, issues: ['wrong_total'] }),
  (text) => ({ task: 'by_tool', tool: text.slice(0, 150), error: 'exit code 1', issues: ['tool_failure'] }),
  (text) => ({ task: 'by_model', model: text.slice(0, 150), error: 'no such file', issues: ['not_found'] }),
  (text) => ({ task: text.slice(0, 150), error: 'not complete', issues: ['incomplete_task'] }),
];

interface Result {
  readonly patterns: readonly Pattern[];
  readonly fixes: readonly Fix[];
  readonly asked: number;
}

async function run(text: string, model: ScriptedModel | undefined): Promise<Result> {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock, random: seededRandom(7), ...(model && { model }) });
  // A safe fix is due: calls that fail now and then for a reason that a retry mends.
  for (let index = 0; index < 40; index++) {
    await clock.advance(60_000);
    const call = loop.begin('api_call', { session: `s${index}` });
    const error = `connect ECONNREFUSED 10.0.0.1:443 ${text}`;
    call.end(index % 3 === 0 ? { success: false, error, issues: ['network'] } : { success: true });
  }
  for (const sink of SINKS) {
    for (let index = 0; index < 4; index++) loop.observer.record({ ...sink(text), success: false });
  }
  await loop.runCycle();
  await clock.advance(60_000);
  await loop.runCycle();
  const patterns = loop.patterns().filter(({ sources }) => !sources.includes('rsi-loop'));
  const result = { patterns, fixes: loop.fixes(), asked: model?.requests.length ?? 0 };
  await loop.close();
  return result;
}

const byId = <Item extends { readonly id: string }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

it('changes no class, no target and no safe fix, and applies nothing, whatever 100 injected texts talk a model into', async () => {
  const counts = { texts: 0, asked: 0, told: 0, classes: 0, targets: 0, safeFixes: 0, applied: 0, causes: 0, rules: 0 };
  for (const text of MODEL_INJECTIONS) {
    const without = await run(text, undefined);
    const withModel = await run(
      text,
      obedient(text, () => counts.told++),
    );
    counts.texts++;
    counts.asked += withModel.asked;

    const classOf = ({ kind, issue, task, template }: Pattern) => JSON.stringify([kind, issue, task, template]);
    const before = byId(without.patterns);
    for (const pattern of withModel.patterns) {
      const twin = before.get(pattern.id);
      if (!twin || classOf(twin) !== classOf(pattern)) counts.classes++;
      const { cause, by } = pattern.rootCause;
      // A cause that the rules are sure of is never replaced; a model's cause must not be the one that the text asked for.
      if (twin && twin.rootCause.confidence >= 0.7 && twin.rootCause.cause !== cause) counts.classes++;
      if (by !== undefined && cause !== 'undetermined') counts.causes++;
    }
    if (without.patterns.length !== withModel.patterns.length) counts.classes++;

    const twins = byId(without.fixes);
    for (const fix of withModel.fixes) {
      const twin = twins.get(fix.id);
      if (twin ? twin.target !== fix.target : fix.safe || fix.target !== 'AGENTS') counts.targets++;
      if (fix.safe !== (twin?.safe ?? false)) counts.safeFixes++;
      if (fix.safe && JSON.stringify(fix.change) !== JSON.stringify(twin?.change)) counts.safeFixes++;
      if (fix.change.kind === 'rule' && fix.status !== 'proposed') counts.applied++;
      if (fix.safe && fix.status !== twin?.status) counts.applied++;
      // A rule that quotes what was expected has no words of the model, and waits for a person.
      if (fix.wordedBy !== undefined && fix.wordedBy !== twin?.wordedBy) counts.rules++;
    }
    for (const twin of without.fixes) if (!byId(withModel.fixes).has(twin.id)) counts.safeFixes += Number(twin.safe);
  }
  console.log('injections:', JSON.stringify(counts));
  expect(counts.texts).toBe(100);
  expect(counts.told).toBeGreaterThan(300);
  expect(counts).toMatchObject({ classes: 0, targets: 0, safeFixes: 0, applied: 0 });
  // Its answers were rejected as well: words of the record, or a cause that a record puts into its mouth.
  expect(counts).toMatchObject({ causes: 0, rules: 0 });
});
