import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Outcome } from 'rsi-loop';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InputProblem } from '../../../../integrations/sources/import/importer.js';
import { type ReadInputsOptions, readInputs } from '../../../../integrations/sources/import/read-inputs.js';
import { Transcript } from './transcript.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-sources-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function readAll(paths: readonly string[], options: ReadInputsOptions = {}) {
  const outcomes: Outcome[] = [];
  const problems: InputProblem[] = [];
  const reading = readInputs(paths, { onProblem: (problem) => problems.push(problem), ...options });
  for await (const batch of reading) outcomes.push(...batch.outcomes);
  return { outcomes, problems, summary: reading.summary };
}

const good = '{"task":"a","success":true,"ts":"2026-01-02T03:04:05Z"}';

describe('readInputs', () => {
  it('names a path that does not exist, and reads the others', async () => {
    const path = write('good.jsonl', `${good}\n`);
    const { outcomes, problems, summary } = await readAll([join(folder, 'nowhere'), path]);
    expect(outcomes).toHaveLength(1);
    expect(problems).toEqual([{ path: join(folder, 'nowhere'), reason: 'no such file or folder' }]);
    expect(summary).toMatchObject({ filesRead: 1, filesFailed: 1 });
  });

  it('names file and line of what it skips, and reads the rest', async () => {
    const path = write(
      'mixed.jsonl',
      [good, '{"task":"b","succ', '[1,2]', '', '{"no":"task"}', good, '7'].join('\r\n'),
    );
    const { outcomes, problems, summary } = await readAll([path]);
    expect(outcomes).toHaveLength(2);
    expect(problems.map(({ line, reason }) => [line, reason.split(':')[0]])).toEqual([
      [2, 'the line is cut off'],
      [3, 'the line holds a list, not an object'],
      [5, 'no outcome'],
      [7, 'the line holds a number, not an object'],
    ]);
    expect(problems.every((problem) => problem.path === path)).toBe(true);
    expect(summary.skipped).toBe(4);
  });

  it('says once that a folder holds nothing usable', async () => {
    write('notes.json', '{"hello":"world"}');
    write('deep/other.jsonl', 'not json\n');
    write('readme.md', 'text');
    const { problems, summary } = await readAll([folder]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.reason).toBe('none of its 2 files is in a known format');
    expect(summary.filesIgnored).toBe(2);
  });

  it('says why nothing came of an input that was read', async () => {
    const old = write('old.jsonl', `${good}\n`);
    const prompt = write('prompt.jsonl', new Transcript('s-1').prompt('hello').text);
    const empty = write('empty.jsonl', '\n');
    const refused = "The user doesn't want to proceed with this tool use.";
    const left = write('left.jsonl', new Transcript('s-2').result('a', refused, { error: true }).text);
    const { outcomes, problems, summary } = await readAll([old, prompt, empty, left], { sinceMs: Date.UTC(2026, 2) });
    expect(outcomes).toEqual([]);
    expect(problems.map(({ path, reason }) => [path, reason])).toEqual([
      [old, 'gave nothing: all its outcomes are older than asked for or were read before'],
      [prompt, expect.stringContaining('it holds no task that ended')],
      [empty, 'is empty'],
      [left, expect.stringContaining('it holds only what is left out: ')],
    ]);
    expect(Object.values(summary.nothingFound)).toEqual([1, 1, 1]);
  });

  it('names what a file of no known format holds', async () => {
    const { problems } = await readAll([write('notes.json', '{"hello":{"big":1}}')]);
    expect(problems[0]?.reason).toBe('is in no known format: its first keys are "hello", "big"');
  });

  it('reads a list, a wrapped list and a pretty-printed document', async () => {
    const records = [JSON.parse(good), { task_type: 'b', error_msg: 'boom', timestamp: 1767323045 }];
    const paths = [
      write('list.json', JSON.stringify(records)),
      write('wrapped.json', JSON.stringify({ outcomes: records }, null, 2)),
      write('pretty.json', JSON.stringify(records, null, 2)),
      write('one.json', JSON.stringify(records[1], null, 2)),
    ];
    for (const [index, path] of paths.entries()) {
      const { outcomes, problems } = await readAll([path]);
      expect(problems).toEqual([]);
      expect(outcomes).toHaveLength(index === 3 ? 1 : 2);
      expect(outcomes.at(-1)).toMatchObject({ task: 'b', success: false, atMs: 1767323045000 });
    }
  });

  it('reads standard input and leaves out what is older than asked for', async () => {
    async function* stdin() {
      yield Buffer.from(`${good}\n{"task":"b","success":true,"ts":"2026-0`);
      yield Buffer.from('3-02T03:04:05Z"}');
    }
    const { outcomes } = await readAll(['-'], { stdin: stdin(), sinceMs: Date.UTC(2026, 1) });
    expect(outcomes.map(({ task }) => task)).toEqual(['b']);
  });

  it('reads a call once that a resumed session repeats in its own file', async () => {
    const calls = new Transcript('s-1').call('a', 'Read').result('a', 'text');
    write('one.jsonl', calls.text);
    write('resumed.jsonl', calls.call('b', 'Read').result('b', 'text').text);
    const { outcomes, summary } = await readAll([folder]);
    expect(outcomes.filter(({ task }) => task === 'Read')).toHaveLength(2);
    expect(summary.leftOut).toEqual({ 'read before': 2 });
  });

  it('takes no dated record for an undated one because its file was written in the same millisecond', async () => {
    const path = write('same.jsonl', `${good}\n{"task":"b","success":true}\n`);
    const atMs = Date.parse('2026-01-02T03:04:05Z');
    utimesSync(path, atMs / 1_000, atMs / 1_000);
    for await (const { outcomes, undatedMs } of readInputs([path], { marksUndated: true })) {
      if (outcomes.length === 0) continue;
      expect(outcomes.map(({ task, atMs }) => [task, atMs === undatedMs])).toEqual([
        ['a', false],
        ['b', true],
      ]);
    }
    const { outcomes } = await readAll([path]);
    expect(outcomes.map((outcome) => outcome.atMs)).toEqual([atMs, atMs]);
  });

  it('reads what is compressed with gzip, in folders too, and says so when it is damaged', async () => {
    const whole = gzipSync(`${good}\n`.repeat(2_000));
    writeFileSync(join(folder, 'log.jsonl.gz'), whole);
    const { outcomes, problems } = await readAll([folder]);
    expect(problems).toEqual([]);
    expect(outcomes).toHaveLength(2_000);
    writeFileSync(join(folder, 'log.jsonl.gz'), whole.subarray(0, whole.length - 20));
    const torn = await readAll([join(folder, 'log.jsonl.gz')]);
    expect(torn.problems).toMatchObject([{ reason: expect.stringContaining('cannot be read: ') }]);
  });

  it('says what to do about archives and databases', async () => {
    const archive = write('log.eval', 'PK\u0003\u0004 and so on');
    const database = write('state.vscdb', 'SQLite format 3\u0000');
    const { problems } = await readAll([archive, database]);
    expect(problems.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('inspect log convert --to json'),
      expect.stringContaining('it is a database'),
    ]);
  });

  it('stops between two pieces when it is told to', async () => {
    write('one.jsonl', `${good}\n`);
    write('two.jsonl', `${good}\n`);
    const stop = new AbortController();
    let batches = 0;
    for await (const batch of readInputs([folder], { signal: stop.signal })) {
      batches += batch.outcomes.length;
      stop.abort();
    }
    expect(batches).toBe(1);
  });

  it('names a file it may not open', async () => {
    const path = join(folder, 'x'.repeat(300));
    const { problems } = await readAll([path]);
    expect(problems).toEqual([{ path, reason: 'the name is too long' }]);
  });

  it('reports a file that breaks off while it is read, and reads the next', async () => {
    async function* stdin() {
      yield Buffer.from(`${good}\n`.repeat(3_000));
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    }
    const path = write('good.jsonl', `${good.replace('"a"', '"z"')}\n`);
    const { outcomes, problems } = await readAll(['-', path], { stdin: stdin() });
    expect(problems).toEqual([{ path: '-', reason: 'cannot be read: EIO: i/o error, read' }]);
    expect(outcomes.at(-1)?.task).toBe('z');
    expect(outcomes).toHaveLength(3_001);
  });

  it('gives the same ids when the same file is read again', async () => {
    const path = write('good.jsonl', `${good}\n${good}\n`);
    const first = await readAll([path]);
    const second = await readAll([path]);
    expect(new Set(first.outcomes.map(({ id }) => id)).size).toBe(2);
    expect(second.outcomes).toEqual(first.outcomes);
  });
});

const samples = join(import.meta.dirname, '../../../../../shared/data/traces/claude-code');

describe.skipIf(!existsSync(samples))('Claude Code samples', () => {
  it('finds the failed calls and leaves out what people refused', async () => {
    const { outcomes, problems, summary } = await readAll([samples]);
    const failures = outcomes.filter(({ success }) => !success);
    expect(problems).toEqual([]);
    expect(failures.map(({ task }) => task).sort()).toEqual(['Bash', 'Bash', 'Bash', 'Bash', 'Edit', 'Task']);
    expect(failures.filter(({ issues }) => issues.includes('validation'))).toHaveLength(2);
    expect(failures.every(({ issues }) => issues[0] !== 'unknown')).toBe(true);
    expect(summary.leftOut).toEqual({ 'rejected by a person': 8 });
  });
});
