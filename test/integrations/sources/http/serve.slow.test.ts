import { request } from 'node:http';
import { connect } from 'node:net';
import { type JournalRecord, MemoryStore, type Store } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../../node/folder.js';
import { sendHostile } from './hostile.js';
import { TestServer } from './server.js';
import { ServerChild } from './server-child.js';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function idsIn(store: Store): Promise<string[]> {
  const records: JournalRecord[] = [];
  for await (const { record } of store.journal.read()) records.push(record);
  return records.flatMap((record) => (record.kind === 'outcome' ? [record.outcome.id] : []));
}

describe('a server that closes', () => {
  it('is a source of its loop, which closes it before the store', async () => {
    const folder = testFolder();
    const open = await new TestServer({ store: new FileStore(folder) }).open();
    expect(open.loop.sources.names).toEqual(['http']);
    const answer = open.post('/observe', { id: 'under-way', task: 'a', success: true });
    await open.post('/observe', { id: 'last', task: 'a', success: true });
    await open.loop.close();
    expect(open.loop.sources.names).toEqual([]);
    await expect(open.send('/health')).rejects.toThrow(/ECONNREFUSED/);
    expect((await answer).status).toBe(201);
    const store = new FileStore(folder);
    expect((await idsIn(store)).sort()).toEqual(['last', 'under-way']);
    await store.close();
  });

  it('answers what is under way, and has kept everything it answered', async () => {
    const folder = testFolder();
    const open = await new TestServer({ store: new FileStore(folder) }).open();
    const answers = Array.from({ length: 200 }, (_, index) =>
      open.post('/observe', { id: `o-${index}`, task: 'a', success: true }).then(
        ({ status }) => (status === 201 ? [`o-${index}`] : []),
        () => [],
      ),
    );
    await Promise.race(answers);
    await open.close();
    const answered = (await Promise.all(answers)).flat();
    expect(answered.length).toBeGreaterThan(0);
    const store = new FileStore(folder);
    expect(await idsIn(store)).toEqual(expect.arrayContaining(answered));
    await store.close();
  });

  it('ends a stream of lines, and says what it took of it', async () => {
    const store = new MemoryStore();
    const open = await new TestServer({ store }).open();
    server = open;
    const line = `${JSON.stringify({ task: 'a', success: true })}\n`;
    const sending = request(`${open.url}/observe`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const answer = new Promise<string>((resolve, reject) => {
      sending.on('error', reject).on('response', async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        resolve(text);
      });
    });
    sending.write(line.repeat(3));
    while ((await idsIn(store)).length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    const closed = open.closeServer();
    sending.write(line);
    expect(JSON.parse(await answer)).toMatchObject({ status: 503, accepted: 4 });
    await closed;
  });

  it('does not wait for those who never finish', async () => {
    server = await new TestServer().open({ closeMs: 50 });
    const socket = connect(server.port, '127.0.0.1');
    const isClosed = new Promise((resolve) => socket.on('error', resolve).once('close', resolve));
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    socket.write(
      'POST /observe HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    // A second request shows that the first has arrived.
    await server.send('/health');
    await server.closeServer();
    await isClosed;
  });
});

describe('a server that closes with slow clients', () => {
  it('waits 2 seconds for them, and longer for records that are on their way to the disk', async () => {
    const clock = new ManualClock();
    const store = new MemoryStore();
    const open = await new TestServer({ store }).open({ clock });
    server = open;
    let letGo = () => {};
    const onDisk = new Promise<void>((done) => {
      letGo = done;
    });
    const isAsked = new Promise<void>((asked) => {
      store.journal.flush = () => {
        asked();
        return onDisk;
      };
    });
    const waiting = open.post('/observe', { task: 'a', success: true });
    await isAsked;
    const ended: string[] = [];
    for (const [name, text] of Object.entries(SLOW)) {
      const socket = connect(open.port, '127.0.0.1');
      socket.on('error', () => {}).once('close', () => ended.push(name));
      await new Promise<void>((resolve) => socket.once('connect', resolve));
      socket.write(text);
    }
    // A request on a connection of its own shows that the others have arrived.
    await open.send('/health');
    const closed = open.closeServer();
    while (!ended.includes('headers')) await new Promise(setImmediate);
    expect(ended).toEqual(['headers']);
    await clock.advance(2_000);
    while (ended.length < 3) await new Promise(setImmediate);
    letGo();
    expect((await waiting).status).toBe(201);
    await closed;
  });
});

/** Requests of clients that never finish. */
const POST = 'POST /observe HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const SLOW = {
  body: `${POST}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  lines: `${POST}Content-Type: application/x-ndjson\r\nContent-Length: 99\r\n\r\n{"task"`,
  headers: 'POST /observe HTTP/1.1\r\nHost:',
};

describe('a connection', () => {
  it('that is closed on one side after a whole request gets its answer', async () => {
    server = await new TestServer({ store: new FileStore(testFolder()) }).open();
    const body = JSON.stringify({ task: 'a', success: true });
    const socket = connect(server.port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.once('close', () => resolve(text));
    });
    const head = 'POST /observe HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
    socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('connections', () => {
  it('are kept to a number: a new one takes the place of the most idle, never of one that is answered', async () => {
    const store = new MemoryStore();
    const open = await new TestServer({ store }).open({ connections: 3 });
    server = open;
    let letGo = () => {};
    const isAsked = new Promise<void>((resolve) => {
      store.journal.flush = () => {
        resolve();
        return new Promise<void>((done) => {
          letGo = done;
        });
      };
    });
    const waiting = open.post('/observe', { task: 'a', success: true });
    await isAsked;
    const closed: number[] = [];
    for (let number = 0; number < 6; number++) {
      const socket = connect(open.port, '127.0.0.1');
      socket.on('error', () => {}).once('close', () => closed.push(number));
      await new Promise<void>((resolve) => socket.once('connect', resolve));
    }
    while (closed.length < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(closed).toEqual([0, 1, 2, 3]);
    letGo();
    expect((await waiting).status).toBe(201);
  });
});

describe('a hostile request', () => {
  it('costs no memory, disturbs no other request, and is not taken (the campaign `serve` does it at full size)', async () => {
    const child = await ServerChild.start('memory');
    try {
      const report = await sendHostile(child, { connections: 1_500, bytes: 20_000_000, goodRequests: 2_000 });
      // Who goes on sending may lose the answer to the end of the connection.
      const tooMuch = (status: string) => expect.stringMatching(new RegExp(`^(?:${status}|closed)$`));
      expect(report.answers).toEqual({
        'JSON that says how long it is': tooMuch('413'),
        'JSON in chunks': tooMuch('413'),
        'one endless line': tooMuch('413'),
        'lines of nonsense': tooMuch('400'),
        'headers without an end': tooMuch('431'),
        'no HTTP': '400',
        'bad UTF-8': '400',
        'a body that ends early': '400',
        'a chunk that ends early': '400',
        'a line that ends early': '400',
        'a line without its end, well counted': '400',
        'two lengths': '400',
        'a length and chunks': '400',
      });
      expect(report).toMatchObject({ goodFailed: 0, wronglyAccepted: 0 });
      expect(report.good).toBeGreaterThan(10);
      expect(report.leftBytes).toBeLessThan(64_000_000);
    } finally {
      await child.stop();
    }
  });
});
