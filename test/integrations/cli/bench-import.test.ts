import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { scoreOf } from '../../../integrations/bench/checks.js';
import type { CheckSpec } from '../../../integrations/bench/problem.js';
import { readOtherFile } from '../../../integrations/cli/bench/import/read-file.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function fileOf(content: string | Buffer, name = 'file.yaml'): string {
  const path = join(folder, `${files++}-${name}`);
  writeFileSync(path, content);
  return path;
}

const read = (content: string | Buffer, name?: string) => readOtherFile(fileOf(content, name), undefined);

/** Scores of answers to the only problem of a promptfoo test with these assertions. */
async function scoresOf(assertions: string, ...answers: readonly unknown[]): Promise<readonly unknown[]> {
  const { problems, notes } = await read(`tests:\n  - vars: { city: Paris, n: 3 }\n    assert: ${assertions}\n`);
  const [problem] = problems;
  if (!problem) throw new Error(notes.map(({ reason }) => reason).join());
  const score = scoreOf(problem.check as CheckSpec);
  return Promise.all(answers.map(async (answer) => score(answer, problem as Parameters<typeof score>[1])));
}

describe('tests of promptfoo', () => {
  it.each([
    ['[{ type: equals, value: "{{city}}" }]', ['Paris', ' Paris\n', 'Paris!'], [1, 1, 0]],
    ['[{ type: equals, value: { a: 1 } }]', ['{"a": 1}', '{"a": 2}', 'a'], [1, 0, 0]],
    ['[{ type: equals, value: 4 }, { type: not-contains, value: x }]', ['4', '4x'], [1, 0]],
    ['[{ type: contains, value: "{{ vars.city }}" }]', ['to Paris', 'to paris'], [1, 0]],
    ['[{ type: icontains-any, value: "rome, {{city}}" }]', ['PARIS', 'ROME', 'Oslo'], [1, 1, 0]],
    ['[{ type: contains-all, value: [a, b] }]', ['ab', 'a'], [1, 0]],
    ['[{ type: not-icontains, value: sorry }]', ['Sorry!', 'Here'], [0, 1]],
    ['[{ type: regex, value: "^\\\\d+$" }]', ['12', 'x'], [1, 0]],
    ['[{ type: starts-with, value: "a.b" }]', ['a.b c', 'axb'], [1, 0]],
    ['[{ type: is-json }]', ['[]', 'no'], [1, 0]],
    ['[{ type: is-json, value: { required: [a] } }, { type: contains, value: b }]', ['{"a":"b"}', '{"b":1}'], [1, 0]],
    [
      '[{ type: assert-set, assert: [{ type: contains, value: a }, { type: equals, value: ab }] }]',
      ['ab', 'a'],
      [1, 0],
    ],
    [
      '[{ type: contains, value: a }, { type: latency, threshold: 5 }, { type: equals, value: b, weight: 0 }]',
      ['a'],
      [1],
    ],
  ])('are scored as their assertions say: %s', async (assertions, answers, scores) => {
    expect(await scoresOf(assertions, ...answers)).toEqual(scores);
  });

  it('become problems with their variables as input, and a judge for a rubric', async () => {
    const { format, problems, notes } = await read(`
prompts: ['Answer {{question}}']
providers: [openai:gpt-5]
defaultTest:
  vars: { tone: kind, who: 'the {{tone}} one' }
  assert: [{ type: cost, threshold: 0.1 }]
tests:
  - description: capital
    vars: { question: 'capital of France?' }
    assert: [{ type: equals, value: Paris }]
  - description: capital
    vars: { question: [a, b] }
    assert: [{ type: llm-rubric, value: 'is {{tone}} to {{question}}' }]
`);
    expect(format).toBe('promptfoo');
    expect(problems).toEqual([
      {
        id: 'capital',
        input: { tone: 'kind', who: 'the kind one', question: 'capital of France?' },
        expected: 'Paris',
        check: { kind: 'exact' },
        tags: ['promptfoo'],
      },
      ...['a', 'b'].map((question, index) => ({
        id: `capital ${index + 2}`,
        input: { tone: 'kind', who: 'the kind one', question },
        check: { kind: 'judge', instructions: `is kind to ${question}` },
        tags: ['promptfoo'],
      })),
    ]);
    expect(notes).toContainEqual({
      kind: 'skipped',
      item: 'prompts, providers',
      reason: 'the run function of the benchmark decides this',
    });
    expect(notes.filter(({ reason }) => reason.startsWith('cost is left out'))).toHaveLength(3);
  });

  it.each([
    ['[{ type: javascript, value: "output.length < 9" }]', 'javascript is code: write it as a check function'],
    ['[{ type: contains, value: a }, { type: python, value: "file://x.py" }]', 'python is code'],
    ['[{ type: similar, value: a, threshold: 0.8 }]', 'similar has no counterpart'],
    ['[{ type: constructor }]', 'constructor has no counterpart'],
    ['[{ $ref: "#/x" }]', 'a $ref is not read: write the assertion out'],
    [
      '[{ type: contains, value: "{{ city | upper }}" }]',
      'the template {{ city | upper }} is not a variable of the test',
    ],
    ['[{ type: contains, value: "{{ constructor.name }}" }]', 'is not a variable of the test'],
    ['[{ type: contains, value: "file:///etc/passwd" }]', 'file:///etc/passwd is another file'],
    ['[{ type: is-json, value: { $ref: "#/a" } }]', 'is-json: the schema has the unknown keyword $ref'],
    ['[{ type: regex, value: "(" }]', 'regex: Invalid regular expression'],
    ['[{ type: contains }]', 'contains has no text as its value'],
    ['file://asserts.yaml', 'assert is in another file (file://asserts.yaml)'],
    ['[{ type: contains, value: a, transform: output.x }]', 'contains has a transform, which is code'],
  ])('that cannot be mapped are named and make no problem: %s', async (assertions, reason) => {
    const { problems, notes } = await read(`tests:\n  - vars: { city: Paris }\n    assert: ${assertions}\n`);
    expect(problems).toEqual([]);
    expect(notes).toEqual([{ kind: 'skipped', item: 'test 1', reason: expect.stringContaining(reason) }]);
  });

  it('of other files are named, and those of scenarios are read', async () => {
    const { problems, notes } = await read(`
tests: file://tests.csv
scenarios:
  - config: [{ vars: { lang: fr } }, { vars: { lang: de } }]
    tests: [{ description: hello, vars: { word: hi }, assert: [{ type: contains, value: '{{lang}}' }] }]
`);
    expect(problems.map(({ id, input }) => [id, input])).toEqual([
      ['hello', { lang: 'fr', word: 'hi' }],
      ['hello 2', { lang: 'de', word: 'hi' }],
    ]);
    expect(notes).toEqual([
      { kind: 'skipped', item: 'tests', reason: 'file://tests.csv is another file: import that file' },
    ]);
  });
});

describe('results of promptfoo', () => {
  const row = (description: string, more: object) => ({
    provider: { id: 'echo', label: '' },
    promptIdx: 0,
    vars: { city: description },
    testCase: { description, vars: { city: description }, assert: [{ type: 'contains', value: '{{city}}' }] },
    latencyMs: 12,
    cost: 0,
    tokenUsage: { prompt: 3, completion: 4 },
    success: true,
    failureReason: 0,
    ...more,
  });
  const judged = { vars: {}, assert: [{ type: 'llm-rubric', value: 'is polite' }] };
  const results = (...rows: object[]) => read(JSON.stringify({ results: { version: 3, results: rows } }), 'r.json');

  it('become problems with their assertions, and a recorded run for each repeat', async () => {
    const wrong = { success: false, failureReason: 1, error: 'Expected output to contain "Rome"' };
    const found = await results(row('Rome', {}), row('Rome', wrong), row('Oslo', { response: { cached: true } }));
    expect(found.format).toBe('promptfoo');
    expect(found.problems).toEqual([
      ...['Rome', 'Oslo'].map((city) => ({
        id: city,
        input: { city },
        check: { kind: 'contains', texts: [city] },
        tags: ['promptfoo'],
      })),
    ]);
    const run = { durationMs: 12, tokens: { input: 3, output: 4 } };
    expect(found.recorded).toEqual([
      {
        version: 'echo',
        runs: [
          { ...run, problemId: 'Rome', score: 1 },
          { ...run, problemId: 'Rome', score: 0, error: wrong.error },
          { ...run, problemId: 'Oslo', score: 1, cached: true },
        ],
      },
    ]);
  });

  it('name each provider and prompt, also for a test that makes no problem', async () => {
    const code = {
      testCase: { vars: {}, assert: [{ type: 'javascript', value: 'x' }] },
      provider: { id: 'a', label: 'A' },
    };
    const found = await results(row('x', code), row('x', { ...code, promptIdx: 1 }));
    expect(found.problems).toEqual([]);
    expect(found.recorded.map(({ version }) => version)).toEqual(['A, prompt 1', 'A, prompt 2']);
    expect(found.notes[0]?.reason).toContain('javascript is code');
  });

  it('leave out a run whose judge failed, and count one whose agent failed', async () => {
    const failed = { success: false, failureReason: 2, error: 'Error: API key is not set\n at x' };
    const found = await results(
      row('a', failed),
      row('b', { ...failed, testCase: judged }),
      row('c', { testCase: null }),
    );
    expect(found.recorded[0]?.runs.map(({ problemId, error }) => [problemId, error])).toEqual([
      ['a', 'Error: API key is not set'],
      ['test 3', undefined],
    ]);
    expect(found.notes.map(({ item, reason }) => `${item}: ${reason}`)).toEqual([
      'test 2: a result of it was not judged: Error: API key is not set',
      'test 3: the results have no test of it',
    ]);
  });
});

/** A zip archive as Python writes it. */
function zipOf(entries: Readonly<Record<string, string>>, method = 8): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(entries)) {
    const packed = deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(Buffer.byteLength(text), 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    at += 30 + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

describe('logs of Inspect', () => {
  const EVAL = { task: 'arithmetic', model: 'mock/model', scorers: [{ name: 'match', options: {} }] };
  const sample = (id: number, epoch: number, score: unknown, more: object = {}) => ({
    id,
    epoch,
    input: `${id} + 1?`,
    target: String(id + 1),
    scores: { match: { value: score } },
    total_time: 0.5,
    model_usage: { 'mock/model': { input_tokens: 10, output_tokens: 2, total_tokens: 12 } },
    ...more,
  });
  const log = (samples: readonly object[], more: object = {}) =>
    JSON.stringify({ version: 2, status: 'success', eval: { ...EVAL, ...more }, samples });

  it('become problems, and a recorded run for each epoch', async () => {
    const { format, problems, recorded, notes } = await read(
      log([
        sample(1, 1, 'C'),
        sample(1, 2, 'I'),
        sample(2, 1, 0.5),
        sample(3, 1, 7),
        sample(4, 1, 'C', { scores: undefined, error: { message: 'sandbox broke' } }),
      ]),
      'log.json',
    );
    expect(format).toBe('inspect');
    expect(problems[0]).toMatchObject({
      id: 'arithmetic 1',
      input: '1 + 1?',
      expected: '2',
      tags: ['inspect', 'arithmetic'],
    });
    const score = scoreOf(problems[0]?.check as CheckSpec);
    expect(['The answer is 2.', '2 apples'].map((answer) => score(answer, { id: 'p', input: 1 }))).toEqual([1, 0]);
    expect(recorded[0]).toMatchObject({ version: 'mock/model' });
    expect(recorded[0]?.runs.map(({ problemId, score: points }) => [problemId, points])).toEqual([
      ['arithmetic 1', 1],
      ['arithmetic 1', 0],
      ['arithmetic 2', 0.5],
      ['arithmetic 4', 0],
    ]);
    expect(recorded[0]?.runs.at(-1)).toMatchObject({ error: 'sandbox broke', durationMs: 500, tokens: { input: 10 } });
    expect(notes).toEqual([
      {
        kind: 'skipped',
        item: 'arithmetic 3, epoch 1',
        reason: 'its run has neither a score from 0 to 1 nor an error',
      },
    ]);
  });

  it('keep the messages, the choices and the long texts of a sample', async () => {
    const { problems, notes } = await read(
      log(
        [
          sample(1, 1, 'C', {
            input: [{ role: 'user', content: [{ type: 'text', text: 'attachment://ab' }] }],
            attachments: { ab: 'a long question' },
            choices: ['x', 'y'],
          }),
        ],
        { scorers: [{ name: 'my_scorer' }, { name: 'includes' }] },
      ),
      'log.json',
    );
    expect(problems[0]?.input).toEqual({
      question: [{ role: 'user', content: 'a long question' }],
      choices: ['x', 'y'],
    });
    expect(problems[0]).not.toHaveProperty('check');
    expect(notes.map(({ reason }) => reason)).toEqual([
      '1 problem has no check, because the scorer my_scorer has no counterpart: give the benchmark a score, such as contains()',
      'only my_scorer of 2 scorers is taken',
    ]);
  });

  it('with pictures make no problem, but are compared', async () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', image: 'data:image/png;base64,AA' },
    ];
    const { problems, recorded, notes } = await read(
      log([sample(1, 1, 'C', { input: [{ role: 'user', content }] })]),
      'log.json',
    );
    expect([problems.length, recorded[0]?.runs.length]).toEqual([0, 1]);
    expect(notes).toEqual([{ kind: 'skipped', item: 'arithmetic 1', reason: 'the sample has no input of text alone' }]);
  });

  it('are read from their archive as well, also with numbers that JSON does not have', async () => {
    const archive = zipOf({
      'header.json': JSON.stringify({ eval: EVAL }),
      'samples/1_epoch_1.json': JSON.stringify(sample(1, 1, 'C', { metadata: { loss: 0 } })).replace(
        '"loss":0',
        '"loss":NaN',
      ),
      'samples/1_epoch_2.json': JSON.stringify(sample(1, 2, 'I')),
      '_journal/summaries/1.json': 'not read',
    });
    const { format, problems, recorded } = await read(archive, 'log.eval');
    expect(format).toBe('inspect');
    expect([problems.length, recorded[0]?.runs.length]).toEqual([1, 2]);
  });

  it.each([
    [zipOf({ 'a.txt': 'x' }), 'is an archive, but not one of Inspect'],
    [zipOf({ 'header.json': '{}' }, 93), 'the archive compresses header.json by the method 93, which is not read'],
    [zipOf({ 'header.json': '{}' }).subarray(0, 60), 'the archive has no directory at its end'],
    [zipOf({ 'header.json': ' '.repeat(70_000_000) }), 'the archive is damaged: Cannot create a Buffer larger than'],
  ])('of an unusable archive are refused', async (archive, message) => {
    await expect(read(archive, 'log.eval')).rejects.toThrow(message);
  });
});

describe('results of evalite and vitest', () => {
  it('are compared by problem, and those of evalite become problems', async () => {
    const result = (input: string, averageScore: number, more: object = {}) => ({
      input,
      expected: input.toUpperCase(),
      output: 'x',
      status: 'success',
      duration: 12,
      averageScore,
      scores: [{ name: 'exact', score: averageScore }],
      traces: [{ inputTokens: 5, outputTokens: 1 }],
      ...more,
    });
    const { format, problems, recorded, notes } = await read(
      JSON.stringify({
        run: { id: 1, runType: 'full' },
        evals: [
          {
            name: 'Upper [old]',
            variantName: 'old',
            variantGroup: 'Upper',
            results: [result('a', 1), result('a', 0), result('b', 0.5)],
          },
          {
            name: 'Upper [new]',
            variantName: 'new',
            variantGroup: 'Upper',
            results: [result('b', 1), result('a', 0, { status: 'fail' }), result('c', 0, { scores: [] })],
          },
        ],
      }),
      'results.json',
    );
    expect(format).toBe('evalite');
    expect(problems).toMatchObject([
      { id: 'Upper', input: 'a', expected: 'A' },
      { id: 'Upper 2', input: 'b', expected: 'B' },
      { id: 'Upper 3', input: 'c', expected: 'C' },
    ]);
    expect(recorded.map(({ version, runs }) => [version, runs.map((run) => [run.problemId, run.score])])).toEqual([
      [
        'old',
        [
          ['Upper', 1],
          ['Upper', 0],
          ['Upper 2', 0.5],
        ],
      ],
      [
        'new',
        [
          ['Upper 2', 1],
          ['Upper', 0],
        ],
      ],
    ]);
    expect(notes.map(({ item }) => item)).toEqual(['Upper 3', 'scorers']);
  });

  it('of vitest are named alike on two machines', async () => {
    const report = (root: string) =>
      JSON.stringify({
        numTotalTests: 3,
        testResults: [
          {
            name: `${root}/test/a.test.ts`,
            status: 'failed',
            assertionResults: [
              { fullName: 'adds', status: 'passed', duration: 3 },
              { fullName: 'adds', status: 'failed', duration: 2, failureMessages: ['AssertionError: 1\n  at x'] },
              { fullName: 'waits', status: 'todo' },
            ],
          },
          { name: `${root}/test/lib/b.test.ts`, status: 'failed', message: 'no such module', assertionResults: [] },
        ],
      });
    const { problems, recorded, notes } = await read(report('/home/a/project'), 'report.json');
    expect(problems).toEqual([]);
    expect(recorded).toEqual((await read(report('/builds/7'), 'report.json')).recorded);
    expect(recorded[0]?.runs).toEqual([
      { problemId: 'a.test.ts › adds', score: 1, durationMs: 3 },
      { problemId: 'a.test.ts › adds 2', score: 0, durationMs: 2, error: 'AssertionError: 1' },
    ]);
    expect(notes.map(({ item, reason }) => `${item}: ${reason}`)).toEqual([
      'a.test.ts › waits: it was not run (todo)',
      'lib/b.test.ts: it was not loaded: no such module',
    ]);
  });
});

describe('a hostile file', () => {
  const BOMB = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
    .split('')
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`)}]`)
    .join('\n')}\ntests: [{ vars: { bomb: *h } }]\n`;

  it.each([
    [BOMB, 'is not usable YAML: aliases exceeded maxAliases (50)'],
    ['tests: [{ vars: { x: !!js/function "() => 1" } }]', 'is not usable YAML: unknown scalar tag'],
    ['tests: [a\n  b: {', 'is not usable YAML: '],
    ['tests: 1\ntests: 2', 'is not usable YAML: duplicated mapping key'],
    ['just a text', 'has none of the formats inspect, evalite, vitest, promptfoo: name one with --format'],
    ['{"evals": [', 'is not usable YAML: '],
    ['SQLite format 3\u0000', 'is a database: export its results as JSON'],
  ])('is refused with its name and the reason', async (content, message) => {
    const path = fileOf(content);
    await expect(readOtherFile(path, undefined)).rejects.toThrow(`${path} ${message}`);
  });

  it('that does not exist is named', async () => {
    await expect(readOtherFile('./nowhere.yaml', undefined)).rejects.toThrow('there is no file ./nowhere.yaml');
  });

  it('of 100 MB is not read', async () => {
    const path = fileOf('');
    truncateSync(path, 100_000_000);
    await expect(readOtherFile(path, undefined)).rejects.toThrow(`${path} has 100 MB, more than 64: split it`);
  });

  it('cannot reach prototypes, and neither leaks secrets nor grows by aliases', async () => {
    const key = `sk-ant-api03-${'aB3x'.repeat(24)}`;
    const { problems, notes } = await read(`
large: &large ${JSON.stringify('x'.repeat(50_000))}
tests:
  - { description: polluted, vars: { __proto__: { polluted: 1 }, constructor: x } }
  - { description: secret, vars: { key: 'use ${key}' } }
  - { description: huge, vars: { a: { b: [[${Array(30).fill('*large')}]] } } }
  - { description: deep, vars: { a: { b: ${'['.repeat(200)}${']'.repeat(200)} } } }
`);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(problems.map(({ id }) => id)).toEqual(['polluted', 'secret']);
    expect(JSON.stringify(problems)).not.toContain(key);
    expect(
      notes.filter(({ reason }) => !reason.startsWith('no assertion')).map(({ item, reason }) => [item, reason]),
    ).toEqual([
      ['secret', 'secrets in 1 texts are redacted'],
      ['huge', 'it has more than 1 MB of text'],
      ['deep', 'it is nested more than 50 levels deep'],
    ]);
  });

  it('with lists of variables that multiply makes no problems', async () => {
    const values = `[${Array.from({ length: 40 }, (_, index) => index)}]`;
    const { problems, notes } = await read(`tests: [{ vars: { a: ${values}, b: ${values} } }]`);
    expect(problems).toEqual([]);
    expect(notes[0]?.reason).toBe('its lists of variables make 1600 tests, more than 1000');
  });
});
