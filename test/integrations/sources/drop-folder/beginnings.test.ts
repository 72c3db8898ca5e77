import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { textVersions } from 'rsi-loop/kit';
import { namedTexts } from 'rsi-loop/prompts';
import { DropFolder } from 'rsi-loop/sources/drop-folder';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testFolder } from '../../../node/folder.js';

const NAME = 'support.system';
const OLD = 'You answer {{customer}}.';
const NEW = 'You answer {{customer}}. Cite the source.';

/** A folder in which a program begins tasks by files, as any language can. */
function program({ loop = new RSILoop({ clock: new ManualClock(Date.now()) }), folder = testFolder() } = {}) {
  const problems: string[] = [];
  loop.on('problem', ({ message }) => problems.push(message));
  for (const name of ['begin', 'prompts']) mkdirSync(join(folder, name), { recursive: true });
  const drops = new DropFolder(loop, folder, { settleMs: 0, keepDone: false });
  onTestFinished(async () => {
    await drops.close();
    await loop.close();
  });
  const put = (name: string, value: string | object) =>
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const answerTo = async (request: string | object, name = 'run-1') => {
    put(`begin/${name}.json`, request);
    await drops.poll();
    return JSON.parse(read(`begun/${name}.json`));
  };
  const end = async (outcome: object) => {
    put('outcome.json', outcome);
    await drops.poll();
  };
  return { loop, folder, drops, problems, put, read, answerTo, end };
}

async function outcomesOf(loop: RSILoop) {
  await loop.flush();
  const found = [];
  for await (const { record } of loop.store.journal.read()) if (record.kind === 'outcome') found.push(record.outcome);
  return found;
}

describe('tasks that begin by files in a drop folder', () => {
  it('get the text for their session, and say with the outcome which version they used', async () => {
    const { loop, folder, put, read, answerTo, end } = program();
    put(`prompts/${NAME}.md`, OLD);
    const answer = await answerTo({ task: 'answer', session: 's-1', prompts: [NAME] });
    const file = `texts/${textVersions.versionOf(OLD)}.md`;
    expect(answer).toMatchObject({ task: 'answer', session: 's-1', advice: [], deadlineMs: expect.any(Number) });
    expect(answer.prompts).toEqual({ [NAME]: { version: textVersions.versionOf(OLD), file } });
    expect(read(file)).toBe(OLD);
    expect(existsSync(join(folder, 'begin/run-1.json'))).toBe(false);
    await end({ task: 'answer', id: answer.id, success: true, prompts: { [NAME]: textVersions.versionOf(OLD) } });
    expect(await outcomesOf(loop)).toMatchObject([
      { id: answer.id, session: 's-1', managed: true, context: { prompts: { [NAME]: textVersions.versionOf(OLD) } } },
    ]);
    expect(readdirSync(join(folder, 'begun'))).toEqual([]);
    expect(readdirSync(join(folder, 'rejected'))).toEqual([]);
  });

  it('try a version in whole sessions, which keep it, until all sessions get it', async () => {
    const clock = new ManualClock(Date.now());
    const { loop, put, read, answerTo, end } = program({ loop: new RSILoop({ clock }) });
    put(`prompts/${NAME}.md`, OLD);
    const texts: string[][] = [];
    const live = async (sessions: number, until = () => false) => {
      for (let count = 0; count < sessions && !until(); count++) {
        const session = `s-${texts.length}`;
        const own: string[] = [];
        for (let task = 0; task < 4; task++) {
          await clock.advance(30_000);
          const { id, prompts } = await answerTo({ task: 'answer', session, prompts: [NAME] });
          const { version, file } = prompts[NAME];
          own.push(read(file));
          const failed = read(file) === NEW ? false : (texts.length + task) % 2 === 0;
          const fault = { success: false, error: 'no source', issues: ['wrong_output'] };
          await end({ id, task: 'answer', ...(failed ? fault : { success: true }), prompts: { [NAME]: version } });
        }
        loop.endSession(session);
        texts.push(own);
        if (texts.length % 5 === 0) await loop.runCycle();
      }
    };
    await live(15);
    const { id } = await loop.tryPrompt(NAME, NEW, { by: 'ann' });
    await loop.approve(id, { by: 'ann' });
    await loop.runCycle();
    expect(loop.explain(id).fix.trial?.unit).toBe('session');
    await live(80, () => loop.explain(id).fix.status === 'confirmed');
    expect(loop.explain(id).fix.status).toBe('confirmed');
    expect(texts.every((own) => new Set(own).size === 1)).toBe(true);
    expect(new Set(texts.flat())).toEqual(new Set([OLD, NEW]));
  });

  it('count for the version that they were given, if a session changes it in the middle', async () => {
    const { loop, folder, put, answerTo, end, read } = program();
    put(`prompts/${NAME}.md`, OLD);
    const { id } = await answerTo({ task: 'answer', session: 's-1', prompts: [NAME] });
    await end({ task: 'answer', id, success: true, prompts: { [NAME]: textVersions.versionOf(NEW) } });
    expect(readdirSync(join(folder, 'rejected'))).toEqual(['outcome.json', 'outcome.json.reason.txt']);
    expect(read('rejected/outcome.json.reason.txt')).toMatch(
      new RegExp(
        `1 record .* recorded.*used version ${textVersions.versionOf(NEW)} of ${NAME}.*was given ${textVersions.versionOf(OLD)}`,
        's',
      ),
    );
    expect(await outcomesOf(loop)).toHaveLength(1);
  });

  it.each([
    ['no JSON', 'please begin', /is not valid JSON .*give { "task"/],
    ['a list', '[]', /is not an object/],
    ['no task', '{"session":"s"}', /task is missing/],
    ['a wrong session', '{"task":"a","session":7}', /session is not a text/],
    ['an unknown field', '{"task":"a","seession":"s"}', /the field "seession" is unknown: give task, session/],
    [
      'an unknown text',
      '{"task":"a","prompts":["x"]}',
      /the text "x" is not known: write it as prompts\/x.md, or use one of/,
    ],
    [
      'an older version',
      '{"task":"a","prompts":{"support.system":"1234"}}',
      /you hold 1234: two programs have different/,
    ],
    ['a wrong list', '{"task":"a","prompts":[7]}', /prompts is not a list of names/],
    ['too much', `{"task":"${'a'.repeat(70_000)}"}`, /has 70011 bytes, and at most 65536/],
  ])('are answered with a sentence for %s, and no task begins', async (_, request, message) => {
    const { loop, put, answerTo, problems } = program();
    put(`prompts/${NAME}.md`, OLD);
    expect(await answerTo(request)).toEqual({ error: expect.stringMatching(message) });
    expect(problems).toEqual([expect.stringMatching(message)]);
    await loop.flush();
    expect(await outcomesOf(loop)).toEqual([]);
  });

  it.each([
    ['an empty text', ' \n', /is empty: give a text; version [0-9a-f]{16} stays in force/],
    ['a text of 10 MB', 'x'.repeat(10_000_000), /has 10000000 bytes/],
    ['a text beyond the limit', 'x'.repeat(400_001), /has 400001 characters: give at most 400000/],
  ])('keep the text before if its file becomes %s', async (_, text, message) => {
    const { put, answerTo, problems, drops } = program();
    put(`prompts/${NAME}.md`, OLD);
    await answerTo({ task: 'answer' });
    put(`prompts/${NAME}.md`, text);
    await drops.poll();
    await drops.poll();
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(await answerTo({ task: 'answer', prompts: [NAME] })).toEqual({ error: expect.stringMatching(message) });
    put(`prompts/${NAME}.md`, NEW);
    const { prompts } = await answerTo({ task: 'answer', prompts: { [NAME]: textVersions.versionOf(NEW) } });
    expect(prompts[NAME].version).toBe(textVersions.versionOf(NEW));
  });

  it('read no link, and no text that the loop declares differently', async () => {
    const { folder, put, answerTo } = program({ loop: new RSILoop({ prompts: namedTexts({ own: { text: NEW } }) }) });
    put('secret', 'a secret of the machine');
    symlinkSync(join(folder, 'secret'), join(folder, 'prompts/linked.md'));
    put('prompts/own.md', OLD);
    expect((await answerTo({ task: 'a', prompts: ['linked'] })).error).toMatch(/is not a plain file/);
    expect((await answerTo({ task: 'a', prompts: ['own'] })).error).toMatch(/declared twice with different texts/);
    symlinkSync(join(folder, 'secret'), join(folder, 'begin/run-2.json'));
    await expect(answerTo({ task: 'a' })).resolves.toHaveProperty('id');
    expect(JSON.parse(readFileSync(join(folder, 'begun/run-2.json'), 'utf8')).error).toMatch(/is not a plain file/);
  });

  it('go on with another watcher, also after the first one was killed', async () => {
    const { folder, answerTo, drops } = program();
    const { id } = await answerTo({ task: 'answer', session: 's' });
    await drops.close();
    const other = program({ folder });
    await other.end({ task: 'answer', id, success: true });
    expect(await outcomesOf(other.loop)).toMatchObject([{ id, session: 's', managed: true }]);
  });
});
