import type { Outcome } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { render } from '../../../integrations/cli/analyze/render-analysis.js';
import { makeReport } from '../../../integrations/cli/analyze/report.js';
import { Survey } from '../../../integrations/cli/analyze/survey.js';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';

const NOW = Date.UTC(2026, 5, 1);
let number = 0;

function failed(task: string, message: string, fields: Partial<Outcome> = {}): Outcome {
  number++;
  return {
    id: `o${number}`,
    task,
    success: false,
    atMs: NOW - 1_000_000 + number * 1_000,
    source: 'test',
    issues: ['tool_failure'],
    error: { message },
    ...fields,
  } as Outcome;
}

function reportOf(files: Readonly<Record<string, readonly Outcome[]>>, undatedMs = 0) {
  const survey = new Survey({ nowMs: NOW });
  for (const [path, outcomes] of Object.entries(files)) {
    // In two batches: what belongs together may come apart.
    const half = Math.ceil(outcomes.length / 2);
    for (const part of [outcomes.slice(0, half), outcomes.slice(half)])
      survey.absorb({ outcomes: part, path, undatedMs });
  }
  survey.end();
  const summary = {
    filesRead: 1,
    filesFailed: 0,
    filesIgnored: 0,
    nothingFound: {},
    outcomes: 1,
    lines: 1,
    bytes: 1,
    skipped: 0,
    leftOut: {},
  };
  return makeReport(survey, { summary, problems: [], interrupted: false }, { limit: 10 });
}

const textOf = (report: ReturnType<typeof reportOf>, width = 80) =>
  render(report, { width, paint: (_, words) => words, next: (words) => words });

describe('what fails', () => {
  it('comes with its template, and examples with their own counts', () => {
    const ids = [471100, 471100, 123400, 808000, 808000, 808000, 900000];
    const outcomes = ids.map((id) => failed('look_up', `the order with number ${id} is in none of the warehouses`));
    const report = reportOf({ 'a.jsonl': outcomes });
    const [message] = report.patterns[0]?.messages ?? [];
    expect(message?.count).toBe(7);
    expect(message?.template).toContain('<*>');
    expect(message?.examples[0]?.count).toBeLessThan(7);
    const text = textOf(report);
    expect(text).toMatch(/7× the order with number <\*> is/);
    expect(text).not.toMatch(/7× .*(471100|808000)/);
    expect(text).toMatch(/3× .*808000 is.*\n +2× .*471100 is/);
  });

  it('shows examples that read alike on one line', () => {
    const said = (end: string) =>
      `Found 2 matches of the string to replace, but ${'replace_all is false '.repeat(4)}: ${end}`;
    const ends = ['a 1', 'a 1', 'b 2', 'c 3', 'd 4', 'e 5', 'f 6'];
    const text = textOf(reportOf({ 'a.jsonl': ends.map((end) => failed('Edit', said(end))) }));
    const lines = text.split('\n').filter((line) => /\d× Found 2 matches/.test(line));
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('is sorted by what it costs, and says what to do and which sessions and files to open', () => {
    const rare = failed('deploy', 'Invalid API key', { issues: ['auth'], severity: 'critical', session: 's9' });
    const often = [1, 2, 3].map((index) => failed('search', 'exit status 1', { session: `s${index}` }));
    const report = reportOf({ 'one.jsonl': often, 'two.jsonl': [rare] });
    expect(report.patterns.map(({ task }) => task)).toEqual(['deploy', 'search']);
    expect(report.patterns[0]).toMatchObject({
      next: expect.stringContaining('operator: Renew the key'),
      open: [{ file: 'two.jsonl', session: 's9' }],
    });
    expect(report.patterns[1]?.open).toEqual([
      { file: 'one.jsonl', session: 's3' },
      { file: 'one.jsonl', session: 's2' },
      { file: 'one.jsonl', session: 's1' },
    ]);
    expect(textOf(report)).toMatch(
      /next {2}operator[^:]*: Renew the key[\s\S]*?\n {4}open {2}two\.jsonl\n {10}session s9/,
    );
  });

  it('has no trend and no since where its records state no time', () => {
    const undatedMs = NOW - 5;
    const report = reportOf(
      { 'a.jsonl': [1, 2, 3, 4].map(() => failed('step', 'no such file', { atMs: undatedMs })) },
      undatedMs,
    );
    expect(report.reach).toBeNull();
    expect(report.patterns[0]).toMatchObject({ count: 4, trend: null, firstSeenMs: null, lastSeenMs: null });
    const text = textOf(report);
    expect(text).not.toMatch(/since|trend {2}|steady|new|2026/);
    expect(text).toContain('4 outcomes without a time');
  });

  it.each([
    ['before its task', (task: Outcome, call: Outcome) => [call, task]],
    ['after its task', (task: Outcome, call: Outcome) => [task, call]],
  ])('is one failure where a task failed by a call inside it: the call comes %s', (_, order) => {
    const task = failed('answer', 'Error: connect ECONNRESET 10.0.0.1:443', { id: 'run' as Outcome['id'] });
    const call = failed('search', 'connect ECONNRESET 10.0.0.1:443', { parent: 'run' as Outcome['id'] });
    const report = reportOf({ 'a.jsonl': order(task, call) });
    expect(report.read).toMatchObject({ failures: 1, sameFailure: 1 });
    expect(report.patterns.map((pattern) => pattern.task)).toEqual(['search']);
    const other = failed('answer', 'The answer is not JSON', { id: 'run2' as Outcome['id'] });
    const within = failed('search', 'connect ECONNRESET 10.0.0.1:443', { parent: 'run2' as Outcome['id'] });
    expect(reportOf({ 'a.jsonl': order(other, within) }).read).toMatchObject({ failures: 2, sameFailure: 0 });
  });

  it('does not show one text for failures that have only a second issue in common', () => {
    const issues = ['tool_failure', 'exit_code_lost'] as Outcome['issues'];
    const texts = ['declared and not used: runner', 'undefined: sessionId', 'expected one argument, got two'];
    const shown = textOf(reportOf({ 'a.jsonl': texts.map((text) => failed('shell', text, { issues })) }));
    expect(shown).toMatch(/3× in different words; most frequent:\n +1× \S/);
    expect(shown).not.toMatch(/3× declared and not used/);
  });

  it('says what to record where failures came without words', () => {
    const silent = (task: string, issue: string, fields: Partial<Outcome> = {}) => {
      const { error: _, ...rest } = failed(task, '', { issues: [issue], ...fields } as Partial<Outcome>);
      return rest as Outcome;
    };
    const shown = textOf(
      reportOf({
        'a.jsonl': [
          silent('deploy', 'unknown'),
          silent('fetch', 'timeout'),
          silent('fetch', 'timeout'),
          ...['Lyon', 'Lyon', 'Rome'].map((actual) => silent('capital', 'wrong_output', { actual })),
        ],
      }),
    );
    expect(shown).toContain('1× no error text: record error, or expected and actual, to see the cause\n');
    expect(shown).toContain('2× timeout without error text: record error to see the cause\n');
    expect(shown).toMatch(/3× no error text; most frequent results:\n +2× Lyon\n +1× Rome\n/);
    expect(shown).not.toContain('no message');
  });

  it('fits 60 columns and 80 columns', () => {
    const outcomes = ['one', 'two', 'three', 'four'].map((word) =>
      failed(
        'a_task_with_quite_a_long_name',
        `the tool ${word} could not be reached because the server at the other end of the line did not answer in ${word.length} seconds`,
        { session: '0'.repeat(36), model: 'a-model-with-a-long-name' },
      ),
    );
    for (const width of [60, 80]) {
      const lines = textOf(reportOf({ 'a.jsonl': outcomes }), width).split('\n');
      expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(width);
    }
  });
});
