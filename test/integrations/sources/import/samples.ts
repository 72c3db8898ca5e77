import { Transcript } from './transcript.js';

/** A small input of each format. `pad` is a long text that a record of it holds early. */
export interface Sample {
  readonly importer: string;
  readonly name: string;
  readonly outcomes: number;
  text(pad: string): string;
}

const at = (seconds: number) => new Date(Date.UTC(2026, 3, 1, 9, 0, seconds)).toISOString();
const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const document = (value: unknown) => JSON.stringify(value);
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const span = (id: string, attributes: object, parent: string | null = null) => ({
  name: id,
  context: { trace_id: 't1', span_id: id },
  parent_id: parent,
  start_time: at(0),
  end_time: at(1),
  status: { status_code: 'OK' },
  attributes,
});
const phoenix = (id: string, kind: string, parent: string | null, pad = '') => ({
  id,
  name: id,
  attributes: { input: pad, 'tool.name': kind === 'TOOL' ? id : undefined },
  context: { span_id: id, trace_id: 't1' },
  span_kind: kind,
  parent_id: parent,
  start_time: at(0),
  end_time: at(1),
  status_code: 'ERROR',
  status_message: 'boom: ECONNRESET',
});
const otlpSpan = (id: string, pad: string) => ({
  traceId: 'a'.repeat(32),
  spanId: id,
  name: 'chat',
  startTimeUnixNano: '1775034000000000000',
  endTimeUnixNano: '1775034001000000000',
  attributes: [
    { key: 'input', value: { stringValue: pad } },
    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
  ],
});
const openHandsEvents = (pad: string) => [
  { id: 0, timestamp: at(0), source: 'user', action: 'message', args: { content: pad } },
  { id: 1, timestamp: at(1), source: 'agent', action: 'run', args: { command: 'ls' } },
  { id: 2, timestamp: at(2), source: 'agent', observation: 'run', cause: 1, content: 'x', extras: { exit_code: 2 } },
];

export const SAMPLES: readonly Sample[] = [
  {
    importer: 'chat-runs',
    name: 'chat-runs',
    outcomes: 1,
    text: (pad) =>
      JSON.stringify({
        question: pad,
        question_ID: 'q1',
        is_correct: false,
        history: [
          { role: 'manager', content: 'look it up' },
          { role: 'searcher', content: 'nothing was found' },
        ],
      }),
  },
  {
    importer: 'claude-code',
    name: 'claude-code',
    outcomes: 4,
    text: (pad) =>
      new Transcript('s1')
        .prompt(pad)
        .call('a', 'Read')
        .result('a', 'x')
        .call('b', 'Bash')
        .result('b', 'Exit code 1', { error: true }).text,
  },
  {
    importer: 'cursor',
    name: 'cursor',
    outcomes: 2,
    text: (pad) =>
      lines(
        { type: 'user', message: { role: 'user', content: pad }, session_id: 's' },
        {
          type: 'tool_call',
          subtype: 'started',
          call_id: 'c1',
          tool_call: { shellToolCall: { args: {} } },
          session_id: 's',
        },
        {
          type: 'tool_call',
          subtype: 'completed',
          call_id: 'c1',
          tool_call: { shellToolCall: { result: { success: { exitCode: 0 } } } },
          session_id: 's',
        },
        { type: 'result', subtype: 'success', is_error: false, duration_ms: 10, session_id: 's' },
      ),
  },
  {
    importer: 'codex',
    name: 'codex',
    outcomes: 1,
    text: (pad) =>
      lines(
        { timestamp: at(0), type: 'session_meta', payload: { id: 's', instructions: pad } },
        { timestamp: at(1), type: 'response_item', payload: { type: 'function_call', name: 'shell', call_id: 'c' } },
        {
          timestamp: at(2),
          type: 'response_item',
          payload: { type: 'function_call_output', call_id: 'c', output: 'Exit code: 1\nOutput:\nno' },
        },
      ),
  },
  {
    importer: 'codex',
    name: 'codex, first version',
    outcomes: 1,
    text: (pad) =>
      lines(
        { id: 's', timestamp: at(0), instructions: pad },
        { type: 'function_call', name: 'shell', call_id: 'c' },
        { type: 'function_call_output', call_id: 'c', output: '{"output":"no","metadata":{"exit_code":2}}' },
      ),
  },
  {
    importer: 'gemini-cli',
    name: 'gemini-cli',
    outcomes: 2,
    text: (pad) =>
      document({
        messages: [
          { id: 'u', type: 'user', content: pad, timestamp: at(0) },
          {
            id: 'm',
            type: 'gemini',
            timestamp: at(1),
            model: 'g',
            tokens: { input: 9, output: 1, cached: 4 },
            toolCalls: [{ id: 'c', name: 'read', status: 'success', timestamp: at(1) }],
          },
        ],
        sessionId: 's',
        projectHash: 'h',
      }),
  },
  {
    importer: 'otel',
    name: 'otlp',
    outcomes: 2,
    text: (pad) => lines({ resourceSpans: [{ scopeSpans: [{ spans: [otlpSpan('b1', pad), otlpSpan('b2', '')] }] }] }),
  },
  {
    importer: 'generic',
    name: 'outcomes, lines',
    outcomes: 2,
    text: (pad) => lines({ note: pad, task: 'a', success: true, ts: at(0) }, { task: 'b', error: '429', ts: at(1) }),
  },
  {
    importer: 'generic',
    name: 'outcomes, a document',
    outcomes: 400,
    text: (pad) =>
      JSON.stringify(
        {
          events: many(400, (index) => ({
            task: 'a',
            note: index ? '' : pad,
            success: index % 2 === 0,
            ts: at(index),
          })),
          version: 1,
        },
        null,
        2,
      ),
  },
  {
    importer: 'agent-memory',
    name: 'memory.json',
    outcomes: 2,
    text: (pad) =>
      document({
        skills: [{ name: 'search', note: pad }],
        failures: [{ event_id: 'e1', task: 'book', actual_outcome: 'x', expected_outcome: 'y' }, 'forgot the date'],
        directives: ['ask first'],
      }),
  },
  {
    importer: 'generic',
    name: 'failure events',
    outcomes: 1,
    text: (pad) =>
      lines({
        event_id: 'e1',
        agent_id: 'clerk',
        task: 'book',
        expected_outcome: 'a seat',
        actual_outcome: 'no seat',
        severity: 'high',
        context: { note: pad },
      }),
  },
  {
    importer: 'langfuse',
    name: 'langfuse',
    outcomes: 1,
    text: (pad) =>
      document({
        observations: [
          {
            id: 'o',
            input: pad,
            type: 'GENERATION',
            traceId: 't',
            startTime: at(0),
            endTime: at(1),
            level: 'ERROR',
            statusMessage: 'no',
            name: 'n',
          },
        ],
        trace: { id: 't' },
      }),
  },
  {
    importer: 'langfuse',
    name: 'langfuse, a line each',
    outcomes: 1,
    text: (pad) =>
      lines({
        id: 'o',
        input: pad,
        type: 'TOOL',
        traceId: 't',
        parentObservationId: null,
        startTime: at(0),
        name: 'n',
      }),
  },
  {
    importer: 'otel',
    name: 'spans in a list',
    outcomes: 2,
    text: (pad) =>
      document([
        span('a', { input: pad, 'gen_ai.operation.name': 'invoke_agent' }),
        span('b', { 'gen_ai.operation.name': 'chat' }, 'a'),
      ]),
  },
  {
    importer: 'otel',
    name: 'spans, a line each',
    outcomes: 2,
    text: (pad) =>
      lines(
        span('a', { input: pad, 'gen_ai.operation.name': 'invoke_agent' }),
        span('b', { 'gen_ai.operation.name': 'chat' }, 'a'),
      ),
  },
  {
    importer: 'otel',
    name: 'one span',
    outcomes: 1,
    text: (pad) => JSON.stringify(span('a', { input: pad, 'gen_ai.operation.name': 'chat' }), null, 1),
  },
  {
    importer: 'otel',
    name: 'Phoenix',
    outcomes: 3,
    text: (pad) =>
      document([phoenix('run', 'AGENT', null, pad), phoenix('llm', 'LLM', 'run'), phoenix('search', 'TOOL', 'run')]),
  },
  {
    importer: 'otel',
    name: 'an object of traces with their spans',
    outcomes: 4,
    text: (pad) =>
      document({
        info: pad,
        data: {
          traces: ['x', 'y'].map((id) => ({
            trace_id: id,
            spans: [span(`${id}1`, { 'gen_ai.operation.name': 'chat' }), span(`${id}2`, { 'tool.name': 'find' })],
          })),
        },
      }),
  },
  {
    importer: 'inspect-ai',
    name: 'inspect-ai',
    outcomes: 2,
    text: (pad) =>
      document({
        plan: pad,
        eval: { task: 'popularity', model: 'm', run_id: 'r', created: at(0) },
        samples: [
          {
            uuid: 's',
            target: 'x',
            scores: { match: { value: 'I', answer: 'y' } },
            messages: [{ role: 'tool', function: 'f', tool_call_id: 'c', error: { type: 'timeout', message: 'late' } }],
          },
        ],
      }),
  },
  { importer: 'openhands', name: 'openhands events', outcomes: 1, text: (pad) => document(openHandsEvents(pad)) },
  {
    importer: 'openhands',
    name: 'openhands resolver',
    outcomes: 2,
    text: (pad) =>
      lines({
        issue: { owner: 'o', repo: 'r', number: 7, body: pad },
        git_patch: '',
        history: openHandsEvents(pad),
        success: false,
        result_explanation: 'tests fail',
      }),
  },
  {
    importer: 'swe-agent',
    name: 'swe-agent',
    outcomes: 3,
    text: (pad) =>
      document({
        environment: pad,
        trajectory: [
          { action: 'ls', observation: 'a', response: '' },
          { action: 'foo', observation: 'bash: foo: command not found', response: '' },
        ],
        info: { exit_status: 'submitted' },
      }),
  },
  {
    importer: 'swe-agent',
    name: 'swe-agent, its steps behind a long list',
    outcomes: 2,
    text: (pad) =>
      document({
        environment: pad,
        history: many(600, (index) => ({ role: 'user', content: `${index} ${'z'.repeat(150)}` })),
        trajectory: [{ action: 'foo', observation: 'bash: foo: command not found', response: '' }],
        info: { exit_status: 'submitted' },
      }),
  },
  {
    importer: 'opencode',
    name: 'opencode',
    outcomes: 2,
    text: (pad) =>
      document({
        info: { id: 'ses', title: pad },
        messages: [
          {
            info: {
              id: 'm',
              sessionID: 'ses',
              role: 'assistant',
              modelID: 'x',
              providerID: 'p',
              time: { created: 1775034000000, completed: 1775034001000 },
              tokens: { input: 3, output: 2 },
            },
            parts: [
              {
                id: 'p',
                sessionID: 'ses',
                messageID: 'm',
                type: 'tool',
                tool: 'bash',
                callID: 'c',
                state: { status: 'error', error: 'no', time: { start: 1775034000000, end: 1775034000500 } },
              },
            ],
          },
        ],
      }),
  },
  {
    importer: 'generic',
    name: 'csv',
    outcomes: 2,
    text: (pad) => `task,success,note,at\r\na,true,"${pad}",${at(0)}\r\nb,false,x,${at(1)}\r\n`,
  },
];
