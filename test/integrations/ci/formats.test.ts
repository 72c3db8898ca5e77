import { describe, expect, it } from 'vitest';
import { type XmlEvent, XmlScanner } from '../../../integrations/ci/xml.js';
import { found, junitOf, project } from './ci-run.js';

const suite = (inside: string, attributes = '') => `<testsuite ${attributes}>${inside}</testsuite>`;

describe('JUnit XML', () => {
  it('gives the same events however the text is cut into pieces', () => {
    const text = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c>]">]>\n<a x='1 > 2'><!-- <no> --><b>t &amp; &#65;<![CDATA[<c>]] ]]></b>\n<c/></a>`;
    const whole = eventsOf([text]);
    expect(whole.filter(({ kind }) => kind !== 'text').map((event) => ('name' in event ? event.name : ''))).toEqual([
      'a',
      'b',
      'b',
      'c',
      'c',
      'a',
    ]);
    for (let size = 1; size < 20; size++) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(textIn(eventsOf(pieces))).toBe(textIn(whole));
      expect(eventsOf(pieces).filter(({ kind }) => kind !== 'text')).toEqual(
        whole.filter(({ kind }) => kind !== 'text'),
      );
    }
    expect(textIn(whole)).toBe('t & A<c>]] \n');
  });

  it('expands no entity that a document declares', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(1_000)}"><!ENTITY c SYSTEM "file:///etc/passwd">]>`;
    const report = await project().run([
      `<?xml version="1.0"?>${bomb}${suite('<testcase name="t"><failure>&b;&c;</failure></testcase>')}`,
    ]);
    expect(report.findings[0]?.message).toBe('&b;&c;');
  });

  it.each([
    ['torn inside of a test', '<testsuite>\n<testcase name="a"/>\n<testcase name="b">', 3, /ends inside of <testcase>/],
    ['torn inside of a tag', '<testsuite>\n<testcase name="a"/>\n<testcase na', 3, /its end is missing/],
    ['nested endlessly', `<testsuite>\n<testcase name="a"/>${'<x>'.repeat(1_000)}`, 2, /nested more than 256 deep/],
    ['wrongly nested', '<testsuite>\n<testcase name="a"/>\n<b></c></b></testsuite>', 3, /<\/c> ends <b>/],
    ['followed by more', '<testsuite><testcase name="a"/></testsuite>\n<testsuite/>', 2, /more after the end/],
  ])('names the line of a report that is %s, keeps what it read, and fails', async (_, text, line, problem) => {
    const report = await project().run([text]);
    expect(report.unread).toEqual([{ path: expect.any(String), line, problem: expect.stringMatching(problem) }]);
    expect(report.counts.passed).toBe(1);
    expect(report.failed).toBe(true);
  });

  it('takes what Maven and Gradle run again for attempts of one test', async () => {
    const maven = suite(
      '<testcase name="m"><flakyFailure message="once"><stackTrace>at x</stackTrace></flakyFailure></testcase>',
    );
    const gradle = suite('<testcase name="g"><failure message="once"/></testcase><testcase name="g"/>');
    const report = await project().run([maven, gradle]);
    expect(found(report)).toEqual(['flaky g', 'flaky m']);
    expect(report.counts).toMatchObject({ tests: 2, passed: 2, failed: 0 });
  });

  it('keeps apart the same test in two browsers', async () => {
    const inBrowser = (browser: string, inner: string) =>
      suite(
        `<testcase classname="a.spec.ts" name="opens">${inner}</testcase>`,
        `name="a.spec.ts" hostname="${browser}"`,
      );
    const both = `<testsuites>${inBrowser('firefox', '<failure message="no"/>')}${inBrowser('webkit', '')}</testsuites>`;
    const ci = project();
    expect(found(await ci.run([both]))).toEqual(['new opens']);
    expect(found(await ci.run([both.replace('no"', 'still no"')], { commit: 'c2' }))).toEqual(['broken opens']);
  });

  it('counts a suite that could not be loaded as a failure', async () => {
    const report = await project().run([suite('<error message="cannot import"/><testcase name="a"/>', 'name="s"')]);
    expect(report.findings).toMatchObject([{ suite: 's', name: 'loading the suite', message: 'cannot import' }]);
  });

  it('reads UTF-16, as PowerShell writes it, and text with colours', async () => {
    const text = suite('<testcase name="ä"><failure message="\u001b[31mred\u001b[39m"/></testcase>');
    const report = await project().run([`\ufeff${text}`]);
    expect(report.findings).toMatchObject([{ name: 'ä', message: 'red' }]);
  });
});

describe('TAP', () => {
  it('reads plain TAP 13 with directives, and names tests without a name by their place', async () => {
    const text =
      'TAP version 13\n1..5\nok 1 - a\nnot ok 2\n  ---\n  message: "no"\n  at:\n    file: a.js\n    line: 7\n  ...\nok 3 - c # SKIP later\nnot ok 4 - d # TODO\nok 5 - e \\# f\n';
    const report = await project().run([text]);
    expect(report.findings).toMatchObject([{ suite: 'tests', name: 'test 2', message: 'no', file: 'a.js', line: 7 }]);
    expect(report.counts).toMatchObject({ tests: 5, passed: 2, failed: 1, skipped: 2 });
  });

  it.each([
    ['without the tests of its plan', '1..3\nok 1 - a\nok 2 - b\n', /plan has 3 tests, but the report ends after 2/],
    ['without a plan', 'TAP version 13\nok 1 - a\n', /no plan such as 1\.\.10: it is cut off/],
  ])('fails for a report %s', async (_, text, problem) => {
    const report = await project().run([text]);
    expect(report.unread).toMatchObject([
      { line: text.trim().split('\n').length, problem: expect.stringMatching(problem) },
    ]);
    expect(report.failed).toBe(true);
  });

  it('counts a bail-out as a failure', async () => {
    expect(found(await project().run(['1..3\nok 1 - a\nBail out! no database\n']))).toEqual(['new running the tests']);
  });
});

describe('go test -json', () => {
  const event = (fields: object) => `${JSON.stringify({ Package: 'example.com/m', ...fields })}\n`;

  it('counts a package that cannot be built, and a test that did not end', async () => {
    const text = [
      event({ Action: 'run', Test: 'TestA' }),
      event({ Action: 'output', Test: 'TestA', Output: 'panic: boom\n' }),
      event({ Action: 'fail' }),
      'FAIL\texample.com/m/broken [build failed]\n',
    ].join('');
    const report = await project().run([text]);
    expect(report.findings).toMatchObject([
      { suite: 'example.com/m', name: 'TestA', message: 'panic: boom' },
      { suite: 'example.com/m/broken', message: 'build failed' },
    ]);
  });

  it('names the line that is no JSON, and the package without an end', async () => {
    const report = await project().run([`${event({ Action: 'pass', Test: 'TestA' })}{"Action":\n`]);
    expect(report.unread).toMatchObject([{ line: 2 }, { problem: expect.stringMatching('before the package') }]);
  });
});

describe('JSON documents', () => {
  it('names the line where a torn one ends', async () => {
    const report = await project().run(['{"numTotalTests": 1,\n"testResults": [\n{"name": "a"']);
    expect(report.unread).toMatchObject([{ line: 3, problem: 'the report is not complete JSON' }]);
  });

  it('counts a file that could not be loaded', async () => {
    const report = await project().run([
      JSON.stringify({
        testResults: [{ name: 'a.test.ts', status: 'failed', message: 'SyntaxError: no', assertionResults: [] }],
      }),
    ]);
    expect(report.findings).toMatchObject([
      { suite: 'a.test.ts', name: 'loading the file', message: 'SyntaxError: no' },
    ]);
  });
});

describe('plain logs', () => {
  const log = (...lines: readonly string[]) => ['12:00 INFO start', ...lines, '0 errors, 3 passed', 'done'].join('\n');

  it('reports each different failure once, and what is gone as fixed', async () => {
    const ci = project();
    const path = `${ci.folder}/build.log`;
    const run = async (text: string, commit: string) => {
      const { writeFileSync } = await import('node:fs');
      writeFileSync(path, text);
      return ci.read([path], { commit });
    };
    const first = await run(
      log(
        'ERROR: connect ECONNREFUSED 127.0.0.1:5432',
        'ERROR: connect ECONNREFUSED 127.0.0.1:5433',
        'fatal: disk is full',
      ),
      'c1',
    );
    expect(first.findings.map(({ class: each, message, line }) => [each, message, line])).toEqual([
      ['new', 'ERROR: connect ECONNREFUSED 127.0.0.1:5432', 2],
      ['new', 'fatal: disk is full', 4],
    ]);
    const second = await run(log('fatal: disk is full'), 'c2');
    expect(second.findings.map((each) => each.class)).toEqual(['broken', 'fixed']);
    expect((await run(log('fatal: disk is full', ' '), 'c3')).findings.map((each) => each.class)).toEqual(['broken']);
  });

  it('takes no other document for a log', async () => {
    for (const text of ['{"some": "json"}', '<html></html>', '[1]', 'a\0b']) {
      expect((await project().run([text])).unread).toMatchObject([
        { problem: expect.stringMatching('format is not known') },
      ]);
    }
  });
});

describe('reports', () => {
  it('says that a report is empty or holds no test', async () => {
    const { unread, failed } = await project().run(['', suite('')]);
    expect(unread.map(({ problem }) => problem)).toEqual([
      'the report is empty: the test runner wrote nothing into it',
      'the report holds no test',
    ]);
    expect(failed).toBe(true);
  });

  it('reads what --format names', async () => {
    const report = await project().run([junitOf('+a')], { format: 'go' });
    expect(report.counts.tests).toBe(0);
  });
});

function eventsOf(pieces: readonly string[]) {
  const events: XmlEvent[] = [];
  const scanner = new XmlScanner((event) => events.push(event));
  for (const piece of pieces) scanner.push(piece);
  scanner.end();
  return events;
}

function textIn(events: ReturnType<typeof eventsOf>): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
}
