import { contentText, jsonOf, nonEmptyText, type Row, rowOf, rowsOf } from '../import/import-fields.js';
import { makeCall, shortened } from './make-call.js';
import type { Call, Step, Trace } from './trace.js';

/** Message in the form that most frameworks share. */
export type ChatMessage = Row;

interface Chat {
  readonly messages: readonly ChatMessage[];
  readonly id?: string;
  readonly failed?: boolean | undefined;
}

/** Names of members of a group chat that run the code of others. */
const EXECUTOR = /terminal|executor|interpreter|code[_ ]?runner/i;
const FAILED_OUTPUT = /^\s*exitcode: (?!0\b)|^\s*(?:Error\b|Traceback \(most recent)/;

/** Reads a list of chat messages of one agent, or of several that have names. `line` of each step is its index. */
export function readChat({ messages, id, failed }: Chat, path: string): Trace {
  const hasIndex = messages.every(({ index }) => typeof index === 'number');
  const reading = new ChatReading();
  for (const [at, message] of messages.entries()) reading.message(message, hasIndex ? Number(message.index) : at);
  return { session: id ?? path, path, steps: reading.steps, failed };
}

class ChatReading {
  readonly steps: Step[] = [];
  readonly #calls = new Map<string, Call>();

  message(message: ChatMessage, line: number): void {
    const text = contentText(message.content);
    const role = nonEmptyText(message.role) ?? '';
    const name = nonEmptyText(message.name);
    if (role === 'system') return;
    if (role === 'tool' || (name !== undefined && EXECUTOR.test(name))) {
      const call =
        this.#calls.get(nonEmptyText(message.tool_call_id) ?? '') ?? lastOpen(this.steps) ?? codeOf(this.steps.at(-1));
      if (call) call.result = { text: shortened(text), failed: FAILED_OUTPUT.test(text), line };
      return;
    }
    const own = rowsOf(message.tool_calls).map((one) => this.#call(one, line));
    const { agent, isAgent } = speakerOf(role, name);
    // In a group chat the role only says who answers whom; the name says who speaks.
    const calls = own.length > 0 ? own : codeIn(text, line);
    this.steps.push({ line, by: isAgent ? 'agent' : 'user', agent, text, calls });
  }

  #call(one: Row, line: number): Call {
    const { name, arguments: stated } = rowOf(one.function);
    const input = typeof stated === 'string' ? rowOf(jsonOf(stated)) : rowOf(stated);
    const call = makeCall(nonEmptyText(name) ?? 'unknown tool', input, line);
    this.#calls.set(nonEmptyText(one.id) ?? '', call);
    return call;
  }
}

/** Roles of two-party chats. Some groups write the name of the member as the role, with a note behind it. */
const ROLES = /^(?:assistant|user|human|tool|function|developer|ai|model|bot|)$/i;

function speakerOf(role: string, name: string | undefined): { readonly agent: string; readonly isAgent: boolean } {
  if (name !== undefined && name !== 'user') return { agent: name, isAgent: true };
  if (!ROLES.test(role))
    return { agent: role.slice(0, 200).replace(/\s{0,20}\([^()]{0,80}\)\s{0,20}$/, ''), isAgent: true };
  const isAgent = !/^(?:user|human)$/i.test(role);
  return { agent: isAgent ? 'assistant' : 'user', isAgent };
}

function lastOpen(steps: readonly Step[]): Call | undefined {
  return steps.at(-1)?.calls.find(({ result }) => result === undefined);
}

function codeOf(step: Step | undefined): Call | undefined {
  return step?.calls.at(-1);
}

const CODE = /```(?:python|py|sh|bash|javascript|js)?\s*\n([\s\S]*?)```/;

/** Returns the code of a message in a group chat, which another member runs. */
function codeIn(text: string, line: number): readonly Call[] {
  const code = CODE.exec(text)?.[1];
  return code === undefined ? [] : [{ tool: 'code', input: shortened(code), line }];
}
