import type { Actor, Pattern } from 'rsi-loop';
import type { ActorFinding } from 'rsi-loop/kit';
import { whole } from '../../reports/words/numbers.js';

/** Party that must act on some of the failures of one issue, with its task. */
export interface Acting {
  readonly who: Actor;
  /** Id of the remedy that their messages match. */
  readonly remedy: string;
  readonly todo: string;
  /** Rule for the agent that these messages state; null if they state none. */
  readonly rule: string | null;
  readonly count: number;
}

/** Messages of an issue that call for the same action of the same party. */
export interface ActingGroup<Message> {
  readonly acting: Acting;
  readonly messages: readonly Message[];
}

/**
 * Groups the messages of an issue by who must act and how, the most frequent first. Where messages of one remedy name
 * different values, such as linter rules, the group states the rule that holds for all of them, or each value has its own.
 */
export function groupByActing<Message extends Pick<Pattern, 'actor' | 'count'>>(
  messages: readonly Message[],
): readonly ActingGroup<Message>[] {
  const todos = new Map<string, Set<string>>();
  for (const { actor } of messages) todos.set(actor.remedy, (todos.get(actor.remedy) ?? new Set()).add(actor.todo));
  const groups = new Map<string, ActingGroup<Message>>();
  for (const message of messages) {
    const { actor, count } = message;
    const row = actingBy(actor, todos.get(actor.remedy)?.size === 1);
    const key = JSON.stringify([actor.who, actor.remedy, row.todo]);
    const known = groups.get(key);
    groups.set(key, {
      acting: { ...row, count: count + (known?.acting.count ?? 0) },
      messages: [...(known?.messages ?? []), message],
    });
  }
  return [...groups.values()].sort((one, other) => other.acting.count - one.acting.count);
}

function actingBy({ who, remedy, todo, rule }: ActorFinding, isOne: boolean): Omit<Acting, 'count'> {
  return { who, remedy, todo: isOne ? todo : (rule?.text ?? todo), rule: rule?.text ?? null };
}

const WORDS: Readonly<Record<Actor, string>> = {
  loop: 'loop',
  agent: 'agent',
  host: 'host program',
  operator: 'operator',
  provider: 'provider',
  user: 'user',
  undetermined: 'not clear',
};

/** Formats who must act and how, with the count if there are several: `agent (18×): read the file first`. */
export function actingWords({ who, todo, count }: Acting, isOnly: boolean): string {
  return `${WORDS[who]}${isOnly ? '' : ` (${whole(count)}×)`}: ${todo}`;
}
