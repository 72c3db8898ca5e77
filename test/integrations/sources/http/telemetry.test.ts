import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestServer } from './server.js';

let server: TestServer;
beforeEach(async () => {
  server = await new TestServer().open();
});
afterEach(() => server.close());

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** One call of a model that was refused, as an exporter sends it. */
const traces = JSON.stringify({
  resourceSpans: [
    {
      resource: {
        attributes: [
          text('service.name', 'support-bot'),
          text('service.version', '2.0.1'),
          text('cloud.region', 'eu-3'),
          text('host.name', 'web-7'),
        ],
      },
      scopeSpans: [
        {
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              name: 'chat sonnet',
              kind: 3,
              startTimeUnixNano: `${Date.now() - 1_500}000000`,
              endTimeUnixNano: `${Date.now()}000000`,
              attributes: [
                text('gen_ai.operation.name', 'chat'),
                text('gen_ai.request.model', 'sonnet'),
                text('error.type', '429'),
              ],
              status: { code: 2, message: '429 Too Many Requests' },
            },
            'no span',
          ],
        },
      ],
    },
  ],
});
const JSON_TYPE = { 'content-type': 'application/json' };

describe('POST /v1/traces', () => {
  it('takes the spans of an exporter, once, and says how many it could not read', async () => {
    const first = await server.send('/v1/traces', { body: traces, headers: JSON_TYPE });
    expect([first.status, first.json]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: '1', errorMessage: 'a span is not an object' } },
    ]);
    const again = await server.send('/v1/traces', {
      body: gzipSync(traces),
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    });
    expect(again.status).toBe(200);
    await server.loop.runCycle();
    expect(server.loop.patterns()).toMatchObject([{ task: 'model_call', issue: 'rate_limit', count: 1 }]);
    const { byService, byVersion, byRegion, byHost } = server.loop.health();
    const release = [byService, byVersion, byRegion, byHost].flatMap((names) => Object.keys(names));
    expect(release).toEqual(['support-bot', '2.0.1', 'eu-3', 'web-7']);
    expect((await server.send('/v1/traces', { body: '{}', headers: JSON_TYPE })).json).toEqual({});
  });

  it.for([
    ['protobuf, with a sentence on what to set', 'application/x-protobuf', 'x', 415, 'http/json'],
    ['lines', 'application/x-ndjson', traces, 415, 'application/json'],
    ['what is no JSON', 'application/json', '{', 400, 'not valid JSON'],
    ['what is no export of traces', 'application/json', '{"spans":[]}', 400, 'resourceSpans'],
  ] as const)('refuses %s', async ([, type, body, status, says]) => {
    const reply = await server.send('/v1/traces', { body, headers: { 'content-type': type } });
    expect([reply.status, reply.json.detail]).toEqual([status, expect.stringContaining(says)]);
  });

  it('does not unpack more than it may', async () => {
    const bomb = gzipSync(Buffer.alloc(40_000_000, ' '));
    const reply = await server.send('/v1/traces', {
      body: bomb,
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    });
    expect(reply.status).toBe(413);
  });
});

describe('POST /hooks/claude', () => {
  const hook = (body: object) =>
    server.post('/hooks/claude', { session_id: 's1', transcript_path: '/t', cwd: '/w', ...body });

  it('takes the bodies of hooks as they are', async () => {
    expect((await hook({ hook_event_name: 'SessionStart', source: 'startup' })).status).toBe(200);
    const failed = await hook({
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: { command: 'npm test' },
      error: 'Exit code 1',
    });
    expect([failed.status, failed.json]).toEqual([200, {}]);
    await server.loop.runCycle();
    expect(server.loop.patterns()).toMatchObject([{ task: 'Bash', count: 1 }]);
  });

  it('answers what it does not know with nothing, so that no agent is kept waiting', async () => {
    const { status, json } = await hook({ hook_event_name: 'SomethingNew' });
    expect([status, json]).toEqual([200, {}]);
  });
});
