import { describe, expect, it } from 'vitest';
import { detectImporter } from '../../../../integrations/sources/import/detect.js';
import { csv } from '../../../../integrations/sources/import/formats/csv.js';
import { outcomes as json } from '../../../../integrations/sources/import/formats/outcomes.js';
import { importText } from './import-text.js';

describe('tables of outcomes', () => {
  const table = [
    'at,task,success,model,duration_ms,error_message,notes',
    '2026-01-02T03:04:05Z,api_call,true,sonnet,120,,',
    '2026-01-02T03:05:05Z,api_call,false,sonnet,80,"429 Too Many Requests, ""slow down""","two',
    'lines"',
    '',
    "2026-01-02T03:06:05Z,api_call,no,haiku,,'=connect ECONNREFUSED,",
  ].join('\r\n');

  it('reads cells with quotes, line breaks and guards of spreadsheets, in pieces of any size', async () => {
    expect(detectImporter({ path: 't.csv', text: table })).toBe(csv);
    for (const chunkBytes of [1, 7, 10_000]) {
      const { outcomes, skipped } = await importText(csv, `\ufeff${table}`, { chunkBytes });
      expect(skipped).toEqual([]);
      expect(outcomes).toMatchObject([
        { task: 'api_call', success: true, model: 'sonnet', durationMs: 120, atMs: Date.UTC(2026, 0, 2, 3, 4, 5) },
        {
          success: false,
          issues: ['rate_limit'],
          error: { message: '429 Too Many Requests, "slow down"' },
          context: { notes: 'two\r\nlines' },
        },
        { success: false, model: 'haiku', error: { message: '=connect ECONNREFUSED' } },
      ]);
    }
  });

  it('takes semicolons and tabs too', async () => {
    for (const separator of [';', '\t']) {
      const text = [
        ['task', 'ok'],
        ['a', '1'],
        ['b', '0'],
      ]
        .map((row) => row.join(separator))
        .join('\n');
      expect(detectImporter({ path: 't.csv', text })).toBe(csv);
      const { outcomes } = await importText(csv, text);
      expect(outcomes.map(({ task, success }) => [task, success])).toEqual([
        ['a', true],
        ['b', false],
      ]);
    }
  });

  it('takes a long cell of blanks as quickly as any other', async () => {
    // Trying every blank as the beginning of a gap would take longer than a test may.
    const table = `task,success,issues\na,false,timeout ; x${' '.repeat(250_000)}x`;
    expect((await importText(csv, table)).outcomes).toHaveLength(1);
  });

  it('names rows that are none and reads the rest', async () => {
    const { outcomes, skipped } = await importText(csv, 'task,success\na,true\nb,maybe\nc,true,7\nd,"tru');
    expect(outcomes).toHaveLength(1);
    expect(skipped.map(({ line, reason }) => [line, reason.split(':')[0]])).toEqual([
      [3, 'no outcome'],
      [4, 'the row has 3 cells below 2 names'],
      [5, 'the row is cut off'],
    ]);
  });

  it('is not taken for a table when it is text', () => {
    expect(detectImporter({ path: 'x.csv', text: 'name,age\nada,36\n' })).toBeUndefined();
    expect(detectImporter({ path: 'x.txt', text: 'Once upon a time, there was\na task' })).toBeUndefined();
  });
});

describe('ids of records without one', () => {
  const ids = async (text: string, path: string) =>
    (await importText(json, text, { path, chunkBytes: 10_000 })).outcomes.map(({ id }) => id);

  it('stay when the file grows or is written later', async () => {
    const line = '{"task":"a","success":true}\n{"task":"a","success":true,"ts":"2026-01-02T03:04:05Z"}\n';
    const [first, second] = await ids(line, 'log.jsonl');
    expect(await ids(`${line}{"task":"b","success":true}\n`, './log.jsonl')).toEqual([
      first,
      second,
      expect.any(String),
    ]);
  });

  it('differ between two streams of standard input', async () => {
    const [one] = await ids('{"task":"a","success":true}\n', '-');
    const [other] = await ids('{"task":"b","success":true}\n', '-');
    expect(one).not.toBe(other);
  });
});
