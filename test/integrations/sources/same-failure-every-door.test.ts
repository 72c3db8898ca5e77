import { ErrorNamer, Observer, type Outcome, parseOutcome } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { readHook } from '../../../integrations/sources/agents/claude-hook.js';
import { nameFailure } from '../../../integrations/sources/agents/name-failure.js';
import { outcomeOf } from '../../../integrations/sources/agents/outcome.js';
import { OutcomeCollector } from '../../../integrations/sources/import/outcome-collector.js';
import { readToolError } from '../../../integrations/sources/import/tool-error.js';
import { findActor } from '../../../src/classify/find-actor.js';
import { REMEDIES } from '../../../src/classify/remedies/table.js';

const ABOUT = { source: 'claude-code', atMs: 1_000, unique: 'u' };

/** Returns the class and the remedy of a failed call, as each door records it. */
function throughEveryDoor(tool: string, text: string): Readonly<Record<string, string>> {
  const remedyOf = ({ task, issues, error }: Pick<Outcome, 'task' | 'error' | 'issues'>) => {
    const issue = issues[0] ?? 'none';
    return `${issue} ${findActor({ task, issue, texts: [error?.message ?? ''] }).remedy}`;
  };
  const collector = new OutcomeCollector({ path: '-', atMs: 1_000 }, 'claude-code');
  collector.addCall(tool, 'id', {}, readToolError(text));
  const [transcript] = collector.batch(1, 1).outcomes;

  const wrapped = new OutcomeCollector({ path: '-', atMs: 1_000 }, 'claude-code');
  wrapped.addCall(tool, 'id', {}, readToolError(`<tool_use_error>${text}</tool_use_error>`));

  const event = readHook({ hook_event_name: 'PostToolUseFailure', session_id: 's', tool_name: tool, error: text });
  const hooked = event && outcomeOf(event, {}, ABOUT);
  const line = parseOutcome({ task: tool, tool, error: text }, { id: 'x', atMs: 1, source: 'generic' }).outcome;

  const reported: Outcome[] = [];
  const observer = new Observer({
    clock: new ManualClock(),
    newId: () => 'id',
    into: { take: (outcome) => reported.push(outcome) },
    report: () => {},
    source: 'report',
  });
  observer.record({ task: tool, tool, success: false, error: text });

  return {
    transcript: transcript ? remedyOf(transcript) : 'none',
    wrapped: remedyOf(wrapped.batch(1, 1).outcomes[0] as Outcome),
    hook: hooked ? remedyOf(nameFailure(hooked) as Outcome) : 'none',
    report: reported[0] ? remedyOf(reported[0]) : 'none',
    line: line ? remedyOf(new ErrorNamer().complete(line as never)) : 'none',
  };
}

describe('the same failure', () => {
  const rows = REMEDIES.filter(({ issue, course, id }) => !issue && !course && id !== 'user/rejected-call');
  it.for(rows.map(({ id, example }) => [id, example] as const))(
    'has one class and one remedy through every door: %s',
    ([, example]) => {
      const doors = throughEveryDoor('Bash', example);
      expect(new Set(Object.values(doors)).size, JSON.stringify(doors)).toBe(1);
    },
  );
});
