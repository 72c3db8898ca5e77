import { gzipSync } from 'node:zlib';
import { type JournalRecord, LoopError, MemoryStore, type Outcome } from 'rsi-loop';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestServer } from './server.js';

const FAILED = { task: 'api_call', success: false, error: '429 Too Many Requests' };
const GOOD = { task: 'api_call', success: true };

let store: MemoryStore;
let server: TestServer;
beforeEach(async () => {
  store = new MemoryStore();
  server = await new TestServer({ store }).open();
});
afterEach(() => server.close());

async function recorded(): Promise<Outcome[]> {
  const found: JournalRecord[] = [];
  for await (const { record } of store.journal.read()) found.push(record);
  return found.flatMap((record) => (record.kind === 'outcome' ? [record.outcome] : []));
}

describe('POST /observe', () => {
  it('takes one outcome in any spelling and answers 201 with its id, its issues and what it could not read', async () => {
    const sent = { task_type: 'api_call', error_msg: '429 Too Many Requests', quality: 9 };
    const { status, json } = await server.post('/observe', sent);
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^0m/),
      issues: ['rate_limit'],
      warnings: [{ field: 'quality', value: '9', expected: 'a number from 1 to 5' }],
    });
    expect(await recorded()).toMatchObject([{ id: json.id, task: 'api_call', issues: ['rate_limit'] }]);
  });

  it('answers only when the store says that the record is safe', async () => {
    let letGo = () => {};
    const asked = new Promise<void>((resolve) => {
      store.journal.flush = () => {
        resolve();
        return new Promise<void>((done) => {
          letGo = done;
        });
      };
    });
    let isAnswered = false;
    const answer = server.post('/observe', GOOD).then(() => {
      isAnswered = true;
    });
    await asked;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isAnswered).toBe(false);
    letGo();
    await answer;
  });

  it('says 503 when the store cannot keep it, and takes it once when it is sent again with its id', async () => {
    store.journal.flush = async () => {
      throw new LoopError('store-failed', 'no space left');
    };
    const refused = await server.post('/observe', { ...GOOD, id: 'mine' });
    expect([refused.status, refused.headers['retry-after'], refused.json.status]).toEqual([503, '5', 503]);
    expect(server.problems.join()).toContain('no space left');
    store.journal.flush = async () => {};
    const again = await server.post('/observe', { ...GOOD, id: 'mine' });
    expect([again.status, again.json.duplicate]).toEqual([201, true]);
    expect(await recorded()).toHaveLength(1);
  });

  it('takes an array, with what is wrong by index', async () => {
    const { status, json } = await server.post('/observe', [GOOD, { task: 'a' }, FAILED, 5]);
    expect(status).toBe(201);
    expect(json).toMatchObject({ accepted: 2, duplicates: 0, refused: 2 });
    expect(json.results?.map(({ index, issues }) => [index, issues])).toEqual([
      [0, []],
      [2, ['rate_limit']],
    ]);
    expect(json.errors?.map(({ index, field }) => [index, field])).toEqual([
      [1, 'success'],
      [3, '(record)'],
    ]);
    expect(await recorded()).toHaveLength(2);
  });

  it('takes lines, whatever their ends, and knows which of them is none', async () => {
    const text = `\ufeff${JSON.stringify(GOOD)}\r\n\n[1]\n{"task":\n${JSON.stringify({ ...FAILED, task: 'später' })}`;
    const { status, json } = await server.lines(text);
    expect([status, json.accepted, json.refused]).toEqual([201, 2, 2]);
    expect(json.errors).toEqual([
      { index: 1, field: '(record)', value: expect.any(String), expected: expect.any(String) },
      { index: 2, field: '(line)', value: '8 characters', expected: 'one JSON object' },
    ]);
    expect((await recorded()).map(({ task }) => task)).toEqual(['api_call', 'später']);
  });

  it('takes 20,000 lines that come in pieces cut anywhere, and tells the first 10,000 one by one', async () => {
    const line = `${JSON.stringify({ ...GOOD, tool: 'größe' })}\n`;
    const { json } = await server.lines(line.repeat(20_000));
    expect([json.accepted, json.refused, json.results?.length]).toEqual([20_000, 0, 10_000]);
    expect((await recorded()).every(({ tool }) => tool === 'größe')).toBe(true);
  });

  it('takes bodies and lines packed with gzip', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const one = await server.send('/observe', { body: gzipSync(JSON.stringify(FAILED)), headers });
    const many = await server.lines(gzipSync(`${JSON.stringify(GOOD)}\n`.repeat(3)), { 'content-encoding': 'gzip' });
    expect([one.status, many.status, many.json.accepted]).toEqual([201, 201, 3]);
  });

  it('takes what comes twice under one id once, and names an id that was used for something else', async () => {
    const first = await server.post('/observe', { ...FAILED, id: 'x1' });
    const again = await server.post('/observe', { ...FAILED, id: 'x1' });
    const other = await server.post('/observe', { ...GOOD, id: 'x1' });
    const mixed = await server.post('/observe', [
      { ...FAILED, id: 'x1' },
      { ...GOOD, id: 'x1' },
    ]);
    expect(first.json).toEqual({ id: 'x1', issues: ['rate_limit'] });
    expect([again.status, again.json]).toEqual([201, { ...first.json, duplicate: true }]);
    expect([other.status, other.json.field]).toEqual([409, 'id']);
    expect(mixed.json).toMatchObject({ accepted: 0, duplicates: 1, refused: 1, errors: [{ index: 1, field: 'id' }] });
    expect(await recorded()).toHaveLength(1);
  });

  it('takes a request that is repeated with its Idempotency-Key once, also line by line', async () => {
    const headers = { 'idempotency-key': 'order 7 / try again' };
    const first = await server.post('/observe', [GOOD, FAILED], headers);
    const again = await server.lines([GOOD, FAILED, GOOD].map((each) => JSON.stringify(each)).join('\n'), headers);
    expect(first.json.accepted).toBe(2);
    expect(again.json).toMatchObject({ accepted: 1, duplicates: 2 });
    const other = await server.post('/observe', [FAILED, GOOD], headers);
    expect([other.status, other.json.field]).toEqual([409, 'id']);
    expect(await recorded()).toHaveLength(3);
  });

  it('takes what is nested as deeply as a body can be, knows it again, and takes its neighbours', async () => {
    const deep = `{"id":"deep","task":"a","success":false,"error":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
    const sent = { headers: { 'content-type': 'application/json' }, body: `[{"task":"b","success":true},${deep}]` };
    const [first, again] = [await server.send('/observe', sent), await server.send('/observe', sent)];
    expect([first.json.accepted, again.json.duplicates]).toEqual([2, 1]);
    expect((await server.lines(`${deep}\n{"task":"c","success":true}\n`)).json.accepted).toBe(1);
    const begun = { ...sent, body: `{"task":"a","id":"t","more":${'['.repeat(200_000)}${']'.repeat(200_000)}}` };
    expect((await server.send('/tasks', begun)).status).toBe(400);
    expect((await server.post('/observe', { ...GOOD, id: 'deep' })).status).toBe(409);
    const lists = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    expect((await server.send('/observe', { ...sent, body: lists })).status).toBe(400);
    expect(
      (await server.send('/observe', { ...sent, body: `{"task":"a","success":true,"context":${lists}}` })).status,
    ).toBe(201);
    expect(server.problems).toEqual([]);
  });

  it('redacts what it keeps and what it says', async () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ';
    const { json } = await server.post('/observe', { ...FAILED, error: `401 for key ${secret}`, quality: secret });
    expect(JSON.stringify(json)).not.toContain('abcdefghij');
    expect(JSON.stringify(await recorded())).not.toContain('abcdefghij');
  });
});

describe('POST /observe refuses', () => {
  const cases: readonly [string, Parameters<TestServer['send']>[1], number, string | undefined][] = [
    ['what has no task', json({ success: true }), 400, 'task'],
    ['what does not say how it ended', json({ task: 'a' }), 400, 'success'],
    ['what is no JSON', { ...json(0), body: '{"task":' }, 400, '(body)'],
    ['an empty body', { ...json(0), body: '' }, 400, '(body)'],
    ['an empty array', json([]), 400, '(body)'],
    ['a text that is no object', json('x'), 400, '(body)'],
    [
      'bytes that are no UTF-8',
      { ...json(0), body: Buffer.from('{"task":"a\xff","success":true}', 'latin1') },
      400,
      '(body)',
    ],
    ['other types', { ...json(GOOD), headers: { 'content-type': 'text/plain' } }, 415, 'content-type'],
    ['no type', { method: 'POST', body: 'x', headers: {} }, 415, 'content-type'],
    ['other packings', json(GOOD, { 'content-encoding': 'br' }), 415, 'content-encoding'],
    ['what is no gzip', json(GOOD, { 'content-encoding': 'gzip' }), 400, 'content-encoding'],
    ['a key that is empty', json(GOOD, { 'idempotency-key': '' }), 400, 'idempotency-key'],
    ['more than a mebibyte', json({ ...GOOD, context: 'x'.repeat(1_100_000) }), 413, '(body)'],
  ];

  it.for(cases)('%s', async ([, sending, status, field]) => {
    const reply = await server.send('/observe', sending);
    expect([reply.status, reply.json.status, reply.json.field]).toEqual([status, status, field]);
    expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(reply.json.detail).toMatch(/./);
    expect(await recorded()).toEqual([]);
  });

  it('a line that is no UTF-8, and takes its neighbours', async () => {
    const good = JSON.stringify(GOOD);
    const { json: answer } = await server.lines(
      Buffer.from(`${good}\n{"task":"a\xff","success":true}\n${good}`, 'latin1'),
    );
    expect([answer.accepted, answer.errors?.[0]?.index, answer.errors?.[0]?.expected]).toEqual([2, 1, 'text in UTF-8']);
  });

  it('a line longer than a body may be, and says what it took before', async () => {
    const { status, json: answer } = await server.lines(`${JSON.stringify(GOOD)}\n${'x'.repeat(1_100_000)}`);
    expect([status, answer.accepted]).toEqual([413, 1]);
  });

  it('an array of more than 10,000 outcomes, saying so', async () => {
    const { status, json: answer } = await server.post('/observe', new Array(10_001).fill({ task: 'a', ok: 1 }));
    expect([status, answer.detail]).toEqual([400, expect.stringContaining('10000')]);
  });

  it('a stream that is something else after a thousand lines', async () => {
    const { status, json: answer } = await server.lines('nonsense\n'.repeat(200_000));
    expect([status, answer.errors?.length]).toEqual([400, 100]);
  });

  it('what unpacks to more than it may, without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(40_000_000, ' '));
    const reply = await server.send('/observe', {
      body: bomb,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expect([bomb.length < 100_000, reply.status]).toEqual([true, 413]);
  });

  it('everything while the store cannot keep up', async () => {
    Object.defineProperty(store.journal, 'queued', { get: () => 30_000 });
    const reply = await server.post('/observe', GOOD);
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
    expect(await recorded()).toEqual([]);
  });
});

function json(value: unknown, headers: Readonly<Record<string, string>> = {}) {
  return { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json', ...headers } };
}
