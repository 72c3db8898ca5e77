/**
 * A complete small agent: a support desk with two tools, memory for each chat, and a limit of steps. The loop is in the
 * three lines marked below. Needs `@copilotkit/aimock` unless `MODEL_URL` names a model server, see model.ts.
 */
import { RSILoop } from 'rsi-loop';
import { captureFetch } from 'rsi-loop/clients/fetch';
import { tools } from 'rsi-loop/clients/tools';
import { findModel } from './model.js';
import { SHOP_SCHEMAS, shop } from './shop.js';

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly ToolCall[];
}
interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: keyof typeof shop; readonly arguments: string };
}

const MAX_STEPS = 6;
const SYSTEM = 'You answer customers of a shop. Use the tools; never guess an order.';

const server = await findModel();
const loop = new RSILoop({ store: './rsi_data' }); // 1. records are kept here
const fetch = captureFetch(loop); // 2. every call of the model is an outcome
const shopTools = tools(loop, shop); // 3. and every call of a tool

/** One request to the model: its answer, or the tools that it wants to call. */
async function ask(messages: readonly Message[], signal: AbortSignal): Promise<Message> {
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.key}` },
    body: JSON.stringify({ model: server.model, messages, tools: SHOP_SCHEMAS }),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw Object.assign(new Error(`${response.status} ${text}`), { status: response.status });
  const [choice] = (JSON.parse(text) as { choices: { message: Message }[] }).choices; // as the API documents it
  if (choice === undefined) throw new Error('the model returned no choice');
  return choice.message;
}

/** Runs the tool that the model chose. The model reads an error as the result, and can react to it. */
async function callTool({ id, function: { name, arguments: text } }: ToolCall): Promise<Message> {
  const run = shopTools[name] as ((input: unknown) => Promise<unknown>) | undefined; // the model may name any tool
  const result = run
    ? await run(JSON.parse(text)).catch((error: unknown) => ({ error: String(error) }))
    : { error: `no tool ${name}` };
  return { role: 'tool', tool_call_id: id, content: JSON.stringify(result) };
}

/** A chat with one customer. Rules that the loop tries are in `advice`; half of the chats get them. */
function startChat(session: string) {
  const begun = loop.begin('chat', { session });
  const history: Message[] = [{ role: 'system', content: [SYSTEM, ...begun.advice].join('\n') }];

  async function answer(question: string, signal: AbortSignal): Promise<string> {
    const messages: Message[] = [...history, { role: 'user', content: question }];
    for (let step = 0; step < MAX_STEPS; step++) {
      const message = await ask(messages, signal);
      messages.push(message);
      if (!message.tool_calls?.length) {
        history.splice(0, history.length, ...messages);
        return message.content ?? '';
      }
      for (const call of message.tool_calls) messages.push(await callTool(call));
    }
    throw new Error(`no answer after ${MAX_STEPS} steps`);
  }

  return {
    /** Answers one question. The tools only read, so a question may be tried again. */
    ask: (question: string) =>
      loop.run('answer', ({ signal }) => answer(question, signal), {
        session,
        idempotent: true,
        accept: (text) => !text.includes('"error"') || 'the answer reports an error of a tool',
      }),
    end() {
      begun.end({ success: true });
      loop.endSession(session);
    },
  };
}

let unanswered = 0;
for (let customer = 0; customer < 30; customer++) {
  const chat = startChat(`chat-${customer}`);
  for (const question of [`Where is order ${1_000 + customer}?`, 'And when will it arrive?']) {
    await chat.ask(question).catch(() => unanswered++);
  }
  chat.end();
}

const { patterns, fixes } = await loop.runCycle();
console.log(`${unanswered} questions without an answer`);
for (const { task, issue, count, rate } of patterns) console.log(`${task}: ${issue}, ${count} of ${rate.of}`);
for (const { target, reason } of fixes) console.log(`${target}: ${reason}`);
await loop.close();
await server.stop();
