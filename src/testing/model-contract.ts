import { LoopError, type LoopErrorCode } from '../contract/errors.js';
import type { JsonSchema } from '../contract/json-schema.js';
import type { Model, ModelRequest } from '../contract/model.js';
import type { ModelCall } from '../contract/model-call.js';
import { check, checkEqual, checkRejects } from './check.js';
import type { TestRunner } from './contract-suite.js';
import { titleOf } from './contract-suite.js';
import type { ModelStep } from './scripted-model.js';

/** One model, with controls for its behaviour. */
export interface ModelPlace {
  readonly model: Model;
  /** Name used in its messages. Default: the first word of its name. */
  readonly called?: string;
  /** Key that was given to the model. No message may contain it. */
  readonly secret?: string;
  /** Sets the behaviour for the next calls of `complete`, in order. */
  play(steps: readonly ModelStep[]): void;
  /** Stops the server behind the model, so that it is unreachable. */
  stop(): void | Promise<void>;
  /** Removes the model's resources after the test. */
  remove(): void | Promise<void>;
}

export interface ModelContractOptions {
  readonly create: () => ModelPlace | Promise<ModelPlace>;
}

const QUESTION: ModelRequest = { messages: [{ role: 'user', content: 'Why does the search fail?' }] };
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: { cause: { type: 'string', enum: ['network', 'auth'] }, confidence: { type: 'number', maximum: 1 } },
  required: ['cause', 'confidence'],
  additionalProperties: false,
};
const AS_JSON: ModelRequest = { ...QUESTION, schema: SCHEMA, maxTokens: 50 };

/** Defines the tests that every model must pass. */
export function modelContract(name: string, runner: TestRunner, options: ModelContractOptions): void {
  const test: Test = (sentence, body) => {
    runner.it(sentence, async () => {
      const place = await options.create();
      try {
        await body(place);
      } finally {
        await place.remove();
      }
    });
  };
  runner.describe(titleOf(name, 'Model'), () => {
    answerTests(test);
    schemaTests(test);
    failureTests(test);
    embeddingTests(test);
  });
}

type Test = (sentence: string, body: (place: ModelPlace) => Promise<void>) => void;

function answerTests(test: Test): void {
  test('gives the whole answer and says who gave it', async ({ model, play }) => {
    play([{ kind: 'text', text: 'The key is wrong: täglich 漢字 😀.' }]);
    const answer = await model.complete(QUESTION);
    checkEqual(answer.text, 'The key is wrong: täglich 漢字 😀.');
    checkEqual(answer.ended, 'stop');
    check(answer.model !== '' && answer.by !== '', 'the answer names its model');
    check(answer.durationMs >= 0, 'the answer tells how long it took');
    check(!('json' in answer), 'json stands only where a schema was asked for');
  });

  test('hands the text on piece by piece, the same text as the answer', async ({ model, play }) => {
    const text = 'one two three täglich 漢字 😀 '.repeat(40);
    play([{ kind: 'text', text }]);
    const pieces: string[] = [];
    const answer = await model.complete(QUESTION, { onText: (piece) => pieces.push(piece) });
    check(pieces.length > 1, 'a long text comes in more than one piece');
    checkEqual(pieces.join(''), text);
    checkEqual(answer.text, text);
  });

  test('tells what an answer cost where its server counts', async ({ model, play }) => {
    play([{ kind: 'text', text: 'yes', tokens: { input: 120, output: 3 } }]);
    const { tokens } = await model.complete(QUESTION);
    if (tokens !== undefined) checkEqual(tokens, { input: 120, output: 3 });
  });

  test('says when an answer was broken off at its longest', async ({ model, play }) => {
    play([{ kind: 'cut', text: 'The key is' }]);
    const answer = await model.complete({ ...QUESTION, maxTokens: 3 });
    checkEqual([answer.text, answer.ended], ['The key is', 'length']);
  });

  test('answers several calls at the same time without mixing them', async ({ model, play }) => {
    const texts = Array.from({ length: 8 }, (_, index) => `answer ${index} ${'word '.repeat(index * 10)}end`);
    play(texts.map((text) => ({ kind: 'text', text })));
    const answers = await Promise.all(texts.map(() => model.complete(QUESTION, { onText: () => {} })));
    checkEqual(answers.map(({ text }) => text).sort(), [...texts].sort());
  });
}

function schemaTests(test: Test): void {
  test('gives JSON that was checked against the schema', async ({ model, play }) => {
    play([{ kind: 'json', json: { cause: 'auth', confidence: 0.8 } }]);
    const { json } = await model.complete(AS_JSON);
    checkEqual(json, { cause: 'auth', confidence: 0.8 });
  });

  const wrong: readonly (readonly [string, ModelStep])[] = [
    ['prose', { kind: 'text', text: 'I think the key is wrong.' }],
    ['JSON of another shape', { kind: 'json', json: { cause: 'auth', confidence: 0.8, also: true } }],
    ['a value that is not on the list', { kind: 'json', json: { cause: 'weather', confidence: 0.8 } }],
    ['a number out of its range', { kind: 'json', json: { cause: 'auth', confidence: 80 } }],
    ['JSON that lacks a member', { kind: 'json', json: { cause: 'auth' } }],
    ['JSON that was cut off', { kind: 'cut', text: '{"cause":"auth","conf' }],
    ['JSON in JSON', { kind: 'json', json: '{"cause":"auth","confidence":0.8}' }],
  ];
  for (const [what, step] of wrong) {
    test(`refuses ${what} where a schema was asked for`, async (place) => {
      place.play([step]);
      await fails(place, 'model-answer', AS_JSON);
    });
  }
}

function failureTests(test: Test): void {
  test('refuses an empty answer', async (place) => {
    place.play([{ kind: 'text', text: '' }]);
    await fails(place, 'model-answer');
  });

  test('says that it cannot be reached', async (place) => {
    await place.stop();
    await fails(place, 'model-down');
    const health = await place.model.health({ timeoutMs: 5_000 });
    check(!health.ok && (health.problem ?? '') !== '', 'health says what is wrong, and does not reject');
    mustHideSecret(place, health.problem);
  });

  test('says that its server fails, refuses, or breaks off in the middle', async (place) => {
    place.play([{ kind: 'down' }, { kind: 'refused' }, { kind: 'broken', text: 'The key' }]);
    await fails(place, 'model-down');
    await fails(place, 'model-refused');
    await fails(place, 'model-down', QUESTION, { onText: () => {} });
  });

  test('gives up when it takes too long', async (place) => {
    place.play([{ kind: 'slow' }]);
    await fails(place, 'timed-out', QUESTION, { timeoutMs: 30 });
  });

  test('ends a call with the reason of its signal', async ({ model, play }) => {
    const reason = new Error('not needed any more');
    play([{ kind: 'slow' }, { kind: 'text', text: 'too late' }]);
    const abort = new AbortController();
    const call = model.complete(QUESTION, { signal: abort.signal }).catch((error: unknown) => error);
    setTimeout(() => abort.abort(reason), 10);
    check((await call) === reason, 'a call that is aborted rejects with the reason of its signal');
    const again = await model.complete(QUESTION, { signal: abort.signal }).catch((error: unknown) => error);
    check(again === reason, 'a call that begins aborted rejects with the reason of its signal');
  });

  test('refuses a request that cannot be sent', async ({ model }) => {
    await checkRejects(model.complete({ messages: [] }), 'invalid-input');
    await checkRejects(model.complete({ ...QUESTION, maxTokens: 0 }), 'invalid-input');
    await checkRejects(model.complete({ ...QUESTION, temperature: -1 }), 'invalid-input');
  });

  test('is well while it can be reached', async ({ model }) => {
    const health = await model.health();
    check(health.ok && !('problem' in health), 'health says that it is well');
    check(health.models.length > 0, 'health names what can be asked');
  });
}

function embeddingTests(test: Test): void {
  test('gives one vector for each text, in their order, all of one length', async ({ model }) => {
    const texts = ['rate limit', 'a long sentence about something else', 'rate limit'];
    const vectors = await model.embed(texts);
    checkEqual(vectors.length, 3);
    checkEqual(vectors[0], vectors[2]);
    check(JSON.stringify(vectors[0]) !== JSON.stringify(vectors[1]), 'different texts get different vectors');
    check(new Set(vectors.map((vector) => vector.length)).size === 1, 'all vectors have one length');
    check(vectors.flat().every(Number.isFinite), 'vectors are made of numbers');
    checkEqual(await model.embed([]), []);
  });

  test('says when texts cannot be embedded', async (place) => {
    await place.stop();
    await checkRejects(place.model.embed(['rate limit']), 'model-down');
  });
}

async function fails(place: ModelPlace, code: LoopErrorCode, request = QUESTION, call?: ModelCall): Promise<void> {
  const promise = place.model.complete(request, call);
  await checkRejects(promise, code);
  const error = await promise.catch((reason: unknown) => reason);
  if (!LoopError.is(error)) return;
  const called = place.called ?? place.model.name.split(' ')[0] ?? '';
  check(error.message.includes(called), `the message names the model: ${error.message}`);
  mustHideSecret(place, `${error.message} ${String(error.cause)} ${error.stack}`);
}

function mustHideSecret({ secret }: ModelPlace, text = ''): void {
  check(secret === undefined || !text.includes(secret), 'no message holds the key');
}
