import { describe, expect, it } from 'vitest';
import { claimsIn } from '../../../../integrations/sources/sessions/claims.js';
import { findUnseen } from '../../../../integrations/sources/sessions/find-unseen.js';
import { readTraces } from '../../../../integrations/sources/sessions/read-traces.js';
import { type Event, transcript } from './transcript.js';

const seenIn = (...events: readonly Event[]) =>
  readTraces(transcript('s1', [{ user: 'Please repair the parser' }, ...events]), 's1.jsonl')
    .flatMap((trace) => findUnseen(trace))
    .map(({ kind, seen }) => `${kind}: ${seen}`);

const edit: Event = { edits: '/work/app/src/parser.ts' };
const green: Event = { runs: 'npm test', prints: ' Tests  31 passed (31)' };
const red: Event = { runs: 'npm test 2>&1 | tail -20', prints: ' Tests  2 failed | 29 passed (31)' };

describe('findUnseen', () => {
  it('believes an answer whose tests ran green after the last edit', () => {
    expect(seenIn(edit, green, { says: 'Done. All tests pass.' })).toEqual([]);
  });

  it('finds "all tests pass" with an edit after the last run', () => {
    expect(seenIn(green, edit, { says: 'All tests pass.' })).toEqual(['tests: no tests ran after the last edit']);
  });

  it('finds "all tests pass" in a session that ran none', () => {
    expect(seenIn(edit, { says: 'Fixed. All tests pass.' })).toEqual(['tests: no tests ran in this session']);
  });

  it('finds "tests pass" after a red run, though `| tail` lost its exit code', () => {
    expect(seenIn(edit, red, { says: 'The tests pass now.' })).toEqual(['tests: the last tests run failed']);
  });

  it('finds "all tests pass" if no test or only named tests ran', () => {
    const nothing: Event = { runs: 'pytest -k parser', prints: 'collected 0 items' };
    expect(seenIn(edit, nothing, { says: 'All tests pass.' })).toEqual(['tests: the last run ran no tests']);
    const named: Event = { runs: 'go test ./... -run TestParser', prints: 'ok  \texample.org/parser\t0.2s' };
    expect(seenIn(edit, named, { says: 'All tests pass.' })).toEqual([
      'tests: only named tests ran after the last edit',
    ]);
    expect(seenIn(edit, named, { says: 'The parser tests pass.' })).toEqual([]);
    expect(seenIn(edit, named, { says: 'All 7 tests pass.' })).toEqual([]); // those of the file
  });

  it('takes no script that its own command writes for the tests of the project', () => {
    const own: Event = {
      runs: "cat > /tmp/a.go <<'EOF'\npackage main\nEOF\ngo run /tmp/a.go",
      prints: 'All tests passed!',
    };
    expect(seenIn(edit, own, { says: 'All tests pass.' })).toEqual(['tests: no tests ran in this session']);
  });

  it('finds a clean linter that did not run after the last edit', () => {
    const lint: Event = { runs: 'npx eslint src', prints: '0 problems' };
    expect(seenIn(edit, lint, edit, { says: 'Lint is clean.' })).toEqual(['lint: no linter ran after the last edit']);
  });

  it('takes no plan, condition or wish for a claim', () => {
    for (const said of [
      'Once you confirm, all tests should pass.',
      'Next I will check that all tests pass.',
      '- [ ] All tests pass',
    ])
      expect([claimsIn(said), seenIn(edit, { says: said })]).toEqual([[], []]);
  });

  it('doubts no answer that another tool, a person or a commit hook may have proven', () => {
    const hook: Event = { runs: 'git commit -m "repair"', prints: '1 file changed' };
    expect(seenIn(edit, hook, { says: 'All tests pass.' })).toEqual([]);
    const pasted = transcript('s1', [
      { user: 'Add a test' },
      edit,
      { says: 'Please run it.' },
      { user: 'npm test\n Tests 31 passed (31)' },
      { says: 'All tests pass.' },
    ]);
    expect(readTraces(pasted, 's1.jsonl').flatMap((trace) => findUnseen(trace))).toEqual([]);
  });

  it('finds a commit and a push that no command made', () => {
    expect(seenIn(edit, { says: 'Committed as 1a2b3c4d.' })).toEqual(['commit: no commit succeeded']);
    const failed: Event = { runs: 'git push', prints: 'rejected', fails: true };
    expect(seenIn(edit, failed, { says: 'Pushed to main.' })).toEqual(['push: no push succeeded']);
    expect(seenIn(edit, { runs: 'git push', prints: 'main -> main' }, { says: 'Pushed to main.' })).toEqual([]);
  });

  it('finds "all done" with work left in its own list', () => {
    const todos: Event = {
      todos: [
        ['parse', 'completed'],
        ['print', 'pending'],
      ],
    };
    expect(seenIn(edit, todos, { says: 'All done.' })).toEqual(['all-done: 1 of 2 items of its list are open']);
  });

  it('finds a glad answer that does not mention a failed command', () => {
    const failed: Event = { runs: './deploy.sh', prints: 'Exit code 1\nupload refused', fails: true };
    expect(seenIn(edit, failed, { says: 'Done! The parser is live.' })).toEqual([
      'tool-error: the last call failed, and the answer does not mention it',
    ]);
    expect(seenIn(edit, failed, { says: 'Done, but the upload failed.' })).toEqual([]);
  });

  it('names the lines that prove it', () => {
    const [found] = readTraces(
      transcript('s1', [{ user: 'x y' }, green, edit, { says: 'All tests pass.' }]),
      's1.jsonl',
    ).flatMap((trace) => findUnseen(trace));
    expect(found).toMatchObject({ line: 6, claimed: 'All tests pass.' });
    expect(found?.proofs.map(({ line }) => line)).toEqual([3, 5]);
  });

  it('leaves out what an interrupted agent said', () => {
    expect(seenIn(edit, { says: 'All tests pass.' }, { user: '[Request interrupted by user]' })).toEqual([]);
  });
});
