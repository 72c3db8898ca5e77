import { describe, expect, it } from 'vitest';
import { findActor, plainMessage, remedyFor } from '../../src/classify/find-actor.js';
import { COURSE_FACTS, type CourseFact } from '../../src/classify/remedies/row.js';
import { REMEDIES } from '../../src/classify/remedies/table.js';
import { checkRule } from '../../src/fix/check-rule.js';

const actorOf = (text: string, task = 'Bash', issue = 'tool_failure') => findActor({ task, issue, texts: [text] });

describe('the table of remedies', () => {
  it('has at least 60 rows, each with its own id, a sentence to do and a source', () => {
    expect(REMEDIES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(REMEDIES.map(({ id }) => id)).size).toBe(REMEDIES.length);
    for (const { todo, source } of REMEDIES) {
      expect(todo).toMatch(/^[A-Z$].*\.$/s);
      expect(source).not.toBe('');
    }
  });

  it.for(REMEDIES.map((row) => [row.id, row] as const))('%s fits its own example before any other row', ([, row]) => {
    const facts: Partial<Record<CourseFact, number>> = row.course ? { [row.course]: 1 } : {};
    const task = row.task?.test('WebFetch') === false ? 'Bash' : 'WebFetch';
    const about = { task, issue: row.issue ?? 'unknown', course: { known: 1, facts } };
    expect(remedyFor(plainMessage(row.example), about)?.id).toBe(row.id);
  });

  it('makes rules for the agent alone, and each of them may be sent', () => {
    for (const { id, who, rule } of REMEDIES) {
      if (rule === undefined) continue;
      expect(who, id).toBe('agent');
      expect(checkRule(rule.text), `${id}: ${rule.text}`).toBeUndefined();
    }
  });

  it('states in each rule when it applies', () => {
    const CONDITION = /\b(?:Before|After|When|While|If|Use|Run|Give|Call|Take|Keep|Handle|Write|Copy|In)\b/;
    for (const { rule } of REMEDIES) if (rule) expect(rule.text).toMatch(CONDITION);
  });

  it('uses every fact about the course that sources record, or none', () => {
    const used = new Set(REMEDIES.flatMap(({ course }) => course ?? []));
    for (const fact of used) expect(COURSE_FACTS).toContain(fact);
  });
});

describe('who must act', () => {
  it('sees no linter in failures of other work', () => {
    for (const text of [
      'check of INV-42501 failed: the total is the net amount, expected the gross amount',
      'the order was refused (timeout)',
      'format of the address failed our validation',
      'Found 2 errors while booking the trip',
    ]) {
      expect(remedyFor(text, { task: 'post_invoice', issue: 'wrong_output' })?.id ?? '', text).not.toMatch(/^lint/);
    }
  });

  it('is undetermined for an issue that is named like a method of objects', () => {
    for (const issue of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(findActor({ task: 'x', issue, texts: ['boom'] }).who, issue).toBe('undetermined');
    }
  });

  it.for([
    ['Your card was declined.', 'user'],
    ['STRIPE_KEY is not set', 'operator'],
    ["ENOENT: no such file or directory, posix_spawn '/opt/agent/2.0/agent'", 'operator'],
    ['File has not been read yet. Read it first before writing to it.', 'agent'],
    ['(0 , dist.default) is not a function', 'host'],
    ['This model is not available in your country', 'provider'],
    ['ENOSPC: no space left on device', 'operator'],
    ['Exit code 1: something went wrong', 'undetermined'],
    // Programs that agents run every day, and messages that only look like those of others.
    ['Exit code 126: bash: ./gradlew: Permission denied', 'agent'],
    ['Exit code 127: zsh: command not found: timeout', 'agent'],
    ['Exit code 127: bash: jq: command not found', 'operator'],
    ['Exit code 1: error: externally-managed-environment\n\n× This environment is externally managed', 'agent'],
    ["Exit code 1: node: /lib/libc.so.6: version `GLIBC_2.28' not found", 'operator'],
    ["Exit code 1: TypeError: Cannot read properties of undefined (reading 'map')", 'agent'],
    [
      'Exit code 1: psql: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
      'operator',
    ],
    ['PreToolUse:Bash hook error: use pnpm', 'user'],
    ['MCP error -32602: Invalid arguments for tool create_issue', 'agent'],
    ['Exit code 1: ./hooks.go:906:13: no new variables on left side of :=', 'agent'],
  ] as const)('on “%s” is the %s', ([text, who]) => {
    expect(actorOf(text).who).toBe(who);
  });

  it('is said with the name that is missing, so that a person can act at once', () => {
    expect(actorOf('Error: STRIPE_KEY is not set').todo).toBe(
      'STRIPE_KEY is not set on this machine: set it where the program starts.',
    );
  });

  it('is another remedy for a path that was never listed than for one that was', () => {
    const of = (fact: CourseFact) =>
      findActor({
        task: 'Read',
        issue: 'not_found',
        texts: ['File does not exist.'],
        course: { known: 4, facts: { [fact]: 3 } },
      });
    expect(of('path-never-listed').evidence.course).toEqual({ fact: 'path-never-listed', count: 3, of: 4 });
    expect(of('path-never-listed').rule?.text).not.toBe(of('path-listed-before').rule?.text);
  });

  it('is undetermined if texts disagree, and says both', () => {
    const found = findActor({ task: 'Bash', issue: 'unknown', texts: ['STRIPE_KEY is not set', 'FAIL: TestTotals'] });
    expect(found).toMatchObject({ who: 'undetermined', remedy: 'mixed', evidence: { matched: 2, of: 2 } });
    expect(found.todo).toMatch(
      /^Several causes: \(1\) It is not set on this machine: .+\. \(2\) Read the failing test .+\.$/,
    );
    expect(found).not.toHaveProperty('rule');
  });

  it('never makes a rule of a class', () => {
    for (const issue of ['validation', 'not_found', 'tool_failure', 'auth', 'timeout', 'parse_error', 'permission'])
      expect(findActor({ task: 'deploy', issue, texts: ['out of cheese'] })).not.toHaveProperty('rule');
  });

  it('does not ask for a better answer of a model if a command printed what cannot be read', () => {
    const about = { issue: 'parse_error', texts: ['...'] };
    expect(findActor({ task: 'bash', ...about }).who).toBe('undetermined');
    expect(findActor({ task: 'extract', ...about }).who).toBe('loop');
    expect(findActor({ task: 'extract', ...about, sources: ['claude-code'] }).who).toBe('undetermined');
  });

  it('tells a relative path of the shell from a folder that nothing created', () => {
    const say = (path: string) => actorOf(`Exit code 1: (eval):cd:1: no such file or directory: ${path}`).remedy;
    expect([say('src/app'), say('/tmp/run/app')]).toEqual(['shell/missing-script', 'shell/missing-folder']);
  });

  it('is the provider if the calls belong to an agent that reads no settings', () => {
    const about = { task: 'model_call', issue: 'overloaded', texts: ['busy'] };
    expect(findActor({ ...about, sources: ['claude-code'] }).who).toBe('provider');
    expect(findActor({ ...about, sources: ['generic'] }).who).toBe('loop');
  });
});
