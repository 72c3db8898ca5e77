import {
  contentText,
  idOf,
  isRow,
  jsonOf,
  nonEmptyText,
  type Row,
  rowOf,
  rowsOf,
  timeOf,
} from '../import/import-fields.js';
import { makeCall, shortened } from './make-call.js';
import { type ChatMessage, readChat } from './read-chat.js';
import type { Call, Step, Trace } from './trace.js';

/**
 * Reads the sessions in a text: transcripts of Claude Code and Codex (JSON lines), sessions of Gemini CLI, and lists of
 * chat messages, alone or in runs with their outcome. Returns none for anything else.
 */
export function readTraces(text: string, path: string): readonly Trace[] {
  const whole = /^\s*[[{]/.test(text) ? jsonOf(text) : undefined;
  if (whole !== undefined) return fromDocument(whole, path);
  const rows = text.split('\n').map((line, index) => ({ row: rowOf(jsonOf(line)), line: index + 1 }));
  return fromLines(rows, path);
}

interface Line {
  readonly row: Row;
  readonly line: number;
}

function fromDocument(value: unknown, path: string): readonly Trace[] {
  const runs = Array.isArray(value) ? rowsOf(value) : isRow(value) ? [value] : [];
  const first = runs[0];
  if (first === undefined) return [];
  if (Array.isArray(value) && nonEmptyText(first.role) !== undefined)
    return [readChat({ messages: value as ChatMessage[] }, path)];
  if (isRow(value) && 'type' in value && 'message' in value) return fromLines([{ row: value, line: 1 }], path);
  return runs.flatMap((run, index) => {
    const messages = [run.history, run.traj, run.messages].find((list) => rowsOf(list).length > 1);
    if (messages === undefined) return [];
    const rows = rowsOf(messages);
    if (rows.some(({ type }) => type === 'gemini')) return [readGemini(run, rows, path)];
    const id = idOf(run.task_id) ?? idOf(run.question_ID) ?? idOf(run.id) ?? String(index + 1);
    return [readChat({ messages: rows as ChatMessage[], id, failed: failedOf(run) }, path)];
  });
}

/** Returns whether a run says that it failed. */
function failedOf({ is_correct, is_corrected, reward, success, resolved }: Row): boolean | undefined {
  const stated = [is_correct, is_corrected, success, resolved].find((one) => typeof one === 'boolean');
  if (typeof stated === 'boolean') return !stated;
  return typeof reward === 'number' ? reward < 1 : undefined;
}

function fromLines(lines: readonly Line[], path: string): readonly Trace[] {
  if (lines.some(({ row }) => row.type === 'response_item')) return [readCodex(lines, path)];
  return readClaude(lines, path);
}

const REFUSED = /^(?:Error: )?(?:The user doesn't want to|User rejected|\[Request interrupted|patch rejected by user)/;
const SAID = /the user (?:said|provided the following reason[^:]*):\s*([\s\S]{1,600})/i;

/** Puts a result on its call. A refusal is none. */
function end(call: Call | undefined, result: NonNullable<Call['result']>): void {
  if (call === undefined) return;
  if (REFUSED.test(result.text)) call.refused = { said: SAID.exec(result.text)?.[1]?.trim() ?? '' };
  else if (!/^<tool_use_error>Sibling tool call errored|^Sibling tool call/.test(result.text)) call.result = result;
}

const INTERRUPT = /^\[Request interrupted by user/;
/** Lines that programs write into the place of a user. */
const NOT_SAID =
  /^\s*(?:<(?:command-|local-command|bash-|task-notification|teammate|system-reminder)|Caveat: |Operation stopped by hook|Stop hook feedback)/;

function readClaude(lines: readonly Line[], path: string): readonly Trace[] {
  const reading = new ClaudeReading();
  for (const { row, line } of lines) reading.row(row, line);
  const { steps, session, atLimit } = reading;
  return steps.length === 0
    ? []
    : [{ session: session ?? path, path, steps, atLimit, ...(atLimit && { failed: true }) }];
}

class ClaudeReading {
  readonly steps: Step[] = [];
  readonly #calls = new Map<string, Call>();
  session: string | undefined;
  atLimit = false;

  row(row: Row, line: number): void {
    if (row.type === 'result' && nonEmptyText(row.subtype) === 'error_max_turns') this.atLimit = true;
    if (row.isSidechain === true || row.isMeta === true || row.isCompactSummary === true) return;
    this.session ??= nonEmptyText(row.sessionId) ?? nonEmptyText(row.session_id);
    const { content, model } = rowOf(row.message);
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : rowsOf(content);
    const isReal = row.isApiErrorMessage !== true && model !== '<synthetic>';
    if (row.type === 'assistant' && isReal) this.#answer(blocks, line, timeOf(row.timestamp));
    if (row.type === 'user') this.#request(blocks, line, timeOf(row.timestamp));
  }

  #answer(blocks: readonly Row[], line: number, atMs: number | undefined): void {
    const own = blocks.filter(({ type }) => type === 'tool_use').map((block) => callOf(block, line));
    for (const { id, call } of own) this.#calls.set(id, call);
    const text = textIn(blocks);
    if (text === '' && own.length === 0) return;
    this.steps.push({ line, by: 'agent', agent: 'main', text, calls: own.map(({ call }) => call), atMs });
  }

  #request(blocks: readonly Row[], line: number, atMs: number | undefined): void {
    for (const block of blocks) {
      if (block.type !== 'tool_result') continue;
      const text = shortened(contentText(block.content));
      end(this.#calls.get(nonEmptyText(block.tool_use_id) ?? ''), { text, failed: block.is_error === true, line });
    }
    const text = textIn(blocks);
    if (text.trim() === '' || NOT_SAID.test(text)) return;
    this.steps.push({ line, by: 'user', agent: 'user', text, calls: [], atMs, isInterrupt: INTERRUPT.test(text) });
  }
}

function textIn(blocks: readonly Row[]): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' ? (nonEmptyText(text) ?? []) : [])).join('\n');
}

function callOf(block: Row, line: number): { id: string; call: Call } {
  return {
    id: nonEmptyText(block.id) ?? '',
    call: makeCall(nonEmptyText(block.name) ?? 'unknown tool', rowOf(block.input), line),
  };
}

function readCodex(lines: readonly Line[], path: string): Trace {
  const calls = new Map<string, Call>();
  const steps: Step[] = [];
  let session = path;
  for (const { row, line } of lines) {
    const own = rowOf(row.payload);
    const atMs = timeOf(row.timestamp);
    if (row.type === 'session_meta') session = nonEmptyText(own.id) ?? session;
    if (row.type === 'event_msg' && own.type === 'turn_aborted')
      steps.push({ line, by: 'user', agent: 'user', text: '', calls: [], atMs, isInterrupt: true });
    if (row.type === 'response_item') steps.push(...codexSteps(own, { line, atMs, calls }));
  }
  return { session, path, steps };
}

interface CodexPlace {
  readonly line: number;
  readonly atMs: number | undefined;
  readonly calls: Map<string, Call>;
}

function codexSteps(own: Row, { line, atMs, calls }: CodexPlace): readonly Step[] {
  if (own.type === 'message') return codexMessage(own, line, atMs);
  const id = nonEmptyText(own.call_id) ?? '';
  if (own.type === 'function_call' || own.type === 'custom_tool_call') {
    const args = nonEmptyText(own.arguments);
    const call = makeCall(
      nonEmptyText(own.name) ?? 'unknown tool',
      args === undefined ? own : rowOf(jsonOf(args)),
      line,
    );
    calls.set(id, call);
    return [{ line, by: 'agent', agent: 'main', text: '', calls: [call], atMs }];
  }
  if (own.type === 'function_call_output' || own.type === 'custom_tool_call_output')
    end(calls.get(id), codexResult(own.output, line));
  return [];
}

function codexMessage({ content, role }: Row, line: number, atMs: number | undefined): readonly Step[] {
  const said = contentText(content);
  // Editors put the state of their windows before the request.
  const text =
    said
      .split(/^## My request for Codex:\s*$/m)
      .at(-1)
      ?.trim() ?? '';
  if (text === '') return [];
  if (role === 'assistant') return [{ line, by: 'agent', agent: 'main', text, calls: [], atMs }];
  // The program writes what it knows about the machine in the place of the user.
  return role === 'user' && !/^\s*<\w/.test(text) ? [{ line, by: 'user', agent: 'user', text, calls: [], atMs }] : [];
}

function codexResult(output: unknown, line: number): NonNullable<Call['result']> {
  const said = nonEmptyText(output) ?? contentText(output);
  const parsed = rowOf(jsonOf(said));
  const exit = rowOf(parsed.metadata).exit_code;
  const text = nonEmptyText(parsed.output) ?? said;
  const failed =
    typeof exit === 'number' ? exit !== 0 : /^(?:failed in sandbox|execution error|tool call error)/.test(said);
  return { text: shortened(text), failed, line };
}

function readGemini(run: Row, messages: readonly Row[], path: string): Trace {
  const steps = messages.flatMap((message, index): Step[] => {
    const text = contentText(message.content);
    const line = index + 1;
    const atMs = timeOf(message.timestamp);
    if (message.type === 'user') return [{ line, by: 'user', agent: 'user', text, calls: [], atMs }];
    if (message.type !== 'gemini') return [];
    const calls = rowsOf(message.toolCalls).map((own) => {
      const call = makeCall(nonEmptyText(own.name) ?? 'unknown tool', rowOf(own.args), line);
      const result = typeof own.result === 'string' ? own.result : JSON.stringify(own.result ?? '');
      end(call, { text: shortened(result), failed: own.status === 'error', line });
      return call;
    });
    const acting: Step[] = calls.length > 0 ? [{ line, by: 'agent', agent: 'main', text: '', calls, atMs }] : [];
    return text.trim() === '' ? acting : [...acting, { line, by: 'agent', agent: 'main', text, calls: [], atMs }];
  });
  return { session: nonEmptyText(run.sessionId) ?? path, path, steps };
}
