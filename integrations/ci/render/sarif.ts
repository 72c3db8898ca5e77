import type { CiReport, Finding } from '../ci-report.js';
import { CLASSES } from '../judge-test.js';
import { CLASS_WORDS, oneLine, pastWords, testName } from './report-words.js';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** Renders failing tests as SARIF 2.1.0. Fixed tests are left out: code scanning closes what it no longer finds. */
export function renderSarif({ findings }: CiReport, version: string) {
  const rules = CLASSES.filter((each) => each !== 'fixed').map((each) => ({
    id: `test-${each}`,
    name: `${CLASS_WORDS[each].title}Test`,
    shortDescription: { text: `${CLASS_WORDS[each].title}: ${CLASS_WORDS[each].meaning}.` },
    defaultConfiguration: { level: each === 'flaky' ? 'warning' : 'error' },
  }));
  const failing = findings.filter((finding) => finding.class !== 'fixed');
  const results = failing.map((finding) =>
    resultOf(
      finding,
      rules.findIndex(({ id }) => id === `test-${finding.class}`),
    ),
  );
  const driver = { name: 'rsi ci', version, rules };
  return { $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }] };
}

function resultOf(finding: Finding, ruleIndex: number) {
  const { file, line, message = '', id, class: found } = finding;
  const past = pastWords(finding);
  const text = [`${testName(finding)}: ${oneLine(message)}`, ...(past === '' ? [] : [past])].join('\n');
  const physical = file !== undefined && {
    physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line ?? 1 } },
  };
  return {
    ruleId: `test-${found}`,
    ruleIndex,
    level: found === 'flaky' ? 'warning' : 'error',
    message: { text: escaped(text) },
    locations: [{ ...physical, logicalLocations: [{ fullyQualifiedName: testName(finding), kind: 'member' }] }],
    partialFingerprints: { 'rsiTest/v1': id },
  };
}

/** Returns a relative address of a file; special characters are escaped. */
function uriOf(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/');
}

/** Changes what SARIF reads as a link or a placeholder in a message. */
function escaped(text: string): string {
  return text.replaceAll('](', '] (').replace(/[{}]/g, '$&$&');
}
