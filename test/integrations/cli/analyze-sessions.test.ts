import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAll } from '../../../integrations/cli/analyze/read-all.js';
import { render } from '../../../integrations/cli/analyze/render-analysis.js';
import { makeReport } from '../../../integrations/cli/analyze/report.js';
import { Survey } from '../../../integrations/cli/analyze/survey.js';
import type { Look } from '../../../integrations/cli/terminal/look.js';
import { transcript } from '../sources/sessions/transcript.js';

const LOOK: Look = { width: 100, paint: (_, text) => text, next: (step) => step };
const NOW = Date.UTC(2026, 0, 6);

describe('rsi analyze on sessions', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rsi-sessions-'));
    const edit = { edits: '/work/app/src/parser.ts' };
    const red = { runs: 'npm test', prints: ' Tests  2 failed | 29 passed (31)' };
    writeFileSync(
      join(folder, 'one.jsonl'),
      transcript('one', [
        { user: 'Repair it' },
        edit,
        red,
        { says: 'Done. All tests pass.' },
        { user: 'no, still fails' },
      ]),
    );
    const history = [
      { role: 'assistant', name: 'Planner', content: 'Find the number of boats.' },
      { role: 'user', name: 'Reader', content: 'I will.\n```python\nprint(boats)\n```' },
      { role: 'user', name: 'Computer_terminal', content: 'exitcode: 1 (execution failed)\nNameError: boats' },
      { role: 'assistant', name: 'Planner', content: 'There are 12.' },
    ];
    writeFileSync(
      join(folder, 'two.json'),
      JSON.stringify({ is_correct: false, question: 'How many boats?', history }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('shows what was claimed and not seen, what the user corrected, and the first wrong step', async () => {
    const survey = new Survey({ nowMs: NOW });
    const report = makeReport(survey, await readAll([folder], survey, NOW), { limit: 10 });
    const text = render(report, LOOK);
    expect(text).toContain('claimed, not seen: 1 answer in 2 sessions; not counted as failures');
    expect(text).toContain('"All tests pass.": the last tests run failed');
    expect(text).toContain('said it was wrong 1×');
    expect(text).toContain('first wrong step: shown by 1 of 1 failed session');
    expect(text).toContain('Reader, step 1: its code failed');
    // The claim is no failure.
    expect(JSON.stringify(report.patterns)).not.toContain('All tests pass');
  });
});
