import { describe, expect, it } from 'vitest';
import type { CiReport, Finding } from '../../../integrations/ci/ci-report.js';
import { inWorkflowLog, renderAnnotations } from '../../../integrations/ci/render/annotations.js';
import { code, renderComment, renderSummary } from '../../../integrations/ci/render/markdown.js';
import { renderSarif } from '../../../integrations/ci/render/sarif.js';

const HOSTILE = [
  '@everyone see #1 and GH-1',
  '</code></td><script>alert(1)</script><img src=x onerror=alert(1)>',
  '`code` | pipe || [link](https://evil.example) ![x](y)',
  'www.evil.example https://evil.example a@evil.example',
  '<!-- rsi-ci unit --> --> ***bold*** ~~x~~ $math$ \\',
  'line\n::error::one\r\n::set-output name=x::y',
  '%0A%25 ##[group]x 100%',
  '\u001b[31mred\u202e\u200b\u0007 {0} {{1}}',
];

function reportOf(findings: readonly Partial<Finding>[], extra: Partial<CiReport> = {}): CiReport {
  const whole = findings.map(
    (each): Finding => ({
      class: 'new',
      suite: 's',
      name: 'n',
      id: '0',
      streak: 1,
      attempts: { failed: 1, of: 1 },
      ...each,
    }),
  );
  return {
    format: 'rsi-ci/1',
    run: { branch: 'main', base: 'main', commit: 'c1', job: 'unit', isChanged: false },
    compared: { branchRuns: 0, baseRuns: 0 },
    reports: [],
    unread: [],
    counts: {
      tests: 9,
      passed: 0,
      failed: 9,
      skipped: 0,
      new: whole.length,
      returned: 0,
      broken: 0,
      flaky: 0,
      fixed: 0,
    },
    findings: whole,
    more: 0,
    patterns: [],
    failOn: [],
    failed: true,
    ...extra,
  };
}

const hostile = reportOf(
  HOSTILE.map((text) => ({ suite: text, name: text, message: text, file: text, line: 3 })),
  {
    run: { branch: HOSTILE[2] ?? '', base: 'main', commit: HOSTILE[1], job: HOSTILE[4] ?? '', isChanged: false },
    patterns: HOSTILE.map((text) => ({ id: 'p', issue: text, template: text, count: 2, at: text })),
    unread: HOSTILE.map((text) => ({ path: text, problem: text })),
    compared: { branchRuns: 2, baseRuns: 0 },
  },
);

describe('Markdown', () => {
  it('contains no markup, link, mention or comment of recorded text', () => {
    const [mark = '', ...lines] = renderComment(hostile).split('\n');
    expect(mark).toMatch(/^<!-- rsi-ci [\w.-]+ -->$/);
    const text = lines.join('\n');
    // Only our own tags are left, and what is inside of them is letters and entities.
    expect(text.replace(/<\/?code>|<br>/g, '')).not.toMatch(/[<>]/);
    for (const [, inside] of text.matchAll(/<code>(.*?)<\/code>/g)) {
      expect(inside?.replace(/&#\d+;/g, '')).toMatch(/^[\p{L}\p{N} ,;=%'›·…-]*$/u);
    }
    const outside = text.replace(/<code>.*?<\/code>/g, '');
    expect(outside).not.toMatch(/evil|alert|everyone/);
    const rows = outside.split('\n').filter((line) => line.startsWith('|'));
    expect(new Set(rows.map((row) => row.split('|').length))).toEqual(new Set([6, 5]));
  });

  it('shows the text itself once the entities are decoded', () => {
    const shown = code('a|b <c> @d').replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)));
    expect(shown).toBe('<code>a|b <c> @d</code>');
  });

  it('fits the limits of a comment and of a summary', () => {
    const many = reportOf(Array.from({ length: 3_000 }, () => ({ name: '|'.repeat(400), message: '|'.repeat(400) })));
    expect(renderComment(many).length).toBeLessThan(65_536);
    expect(renderComment(many)).toMatch('More is in the log of the job');
    expect(Buffer.byteLength(renderSummary(many))).toBeLessThan(1_048_576);
  });
});

describe('annotations', () => {
  it('are one command per finding, whatever the text holds', () => {
    const text = renderAnnotations(hostile);
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(HOSTILE.length + 5);
    for (const line of lines) {
      const [, properties = '', message = ''] = /^::(?:error|warning) ([^:]*)::(.*)$/.exec(line) ?? [];
      expect(properties.split(',').every((each) => /^(?:file|line|title)=[^,:]*$/.test(each))).toBe(true);
      expect(message).not.toMatch(/[\r\n]/);
      expect(message).not.toMatch(/%(?!25|0A|0D)/);
    }
    for (const unsafe of ['\u001b', '\u202e', '\u0007']) expect(text).not.toContain(unsafe);
  });

  it('are at most ten errors and ten warnings', () => {
    const many = [...Array(30)].map((_, at) => ({ class: at < 15 ? 'flaky' : 'broken' }) as const);
    expect(renderAnnotations(reportOf(many)).match(/^::error /gm)).toHaveLength(10);
    expect(renderAnnotations(reportOf(many)).match(/^::warning /gm)).toHaveLength(10);
  });

  it('leaves no command in other text', () => {
    expect(inWorkflowLog('a\n  ::error::x\n::y::\nmod::test\n##[group]')).not.toMatch(/^\s*::|##\[/m);
    expect(inWorkflowLog('mod::test')).toBe('mod::test');
  });
});

/** Members that the schema of SARIF 2.1.0 allows, of the objects that are written here. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  '': ['$schema', 'version', 'runs'],
  runs: ['tool', 'results', 'columnKind'],
  tool: ['driver'],
  driver: ['name', 'version', 'rules'],
  rules: ['id', 'name', 'shortDescription', 'defaultConfiguration'],
  shortDescription: ['text'],
  defaultConfiguration: ['level'],
  results: ['ruleId', 'ruleIndex', 'level', 'message', 'locations', 'partialFingerprints'],
  message: ['text'],
  locations: ['physicalLocation', 'logicalLocations'],
  physicalLocation: ['artifactLocation', 'region'],
  artifactLocation: ['uri'],
  region: ['startLine'],
  logicalLocations: ['fullyQualifiedName', 'kind'],
};

function checkMembers(value: unknown, name: string): void {
  if (Array.isArray(value)) for (const each of value) checkMembers(each, name);
  else if (typeof value === 'object' && value !== null && name !== 'partialFingerprints') {
    for (const [key, inner] of Object.entries(value)) {
      expect(ALLOWED[name], `${name} has ${key}`).toContain(key);
      checkMembers(inner, key);
    }
  }
}

describe('SARIF', () => {
  const [run = expect.fail()] = renderSarif(hostile, '1.2.3').runs;

  it('has only members of the schema, and what GitHub needs', () => {
    checkMembers(renderSarif(hostile, '1.2.3'), '');
    expect(run.tool.driver).toMatchObject({ name: 'rsi ci', version: '1.2.3' });
    for (const { ruleId, ruleIndex, level, message, locations, partialFingerprints } of run.results) {
      expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      expect(['error', 'warning']).toContain(level);
      expect(message.text.length).toBeGreaterThan(0);
      expect(locations).toHaveLength(1);
      expect(locations[0]?.physicalLocation?.region.startLine).toBeGreaterThan(0);
      expect(partialFingerprints['rsiTest/v1']).toMatch(/^[\da-f]+$/);
    }
  });

  it('has addresses that are relative and escaped, and messages without links and placeholders', () => {
    for (const { message, locations } of run.results) {
      const { uri = '' } = locations[0]?.physicalLocation?.artifactLocation ?? {};
      expect(uri).not.toBe('');
      expect(new URL(uri, 'https://base.example/').origin).toBe('https://base.example');
      expect(uri).not.toMatch(/[\s<>"{}|\\^`]/);
      expect(message.text).not.toMatch(/\]\(|(?<!\{)\{(?!\{)\d/);
    }
  });

  it('leaves out fixed tests, and warns of flaky ones', () => {
    const [{ results } = expect.fail()] = renderSarif(reportOf([{ class: 'fixed' }, { class: 'flaky' }]), '1').runs;
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([['test-flaky', 'warning']]);
  });
});
