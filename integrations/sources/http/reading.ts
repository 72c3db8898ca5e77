import type { Deployment, FixFilter, RSILoop } from 'rsi-loop';
import { renderMetrics } from './metrics.js';
import {
  ADVICE_ANSWER,
  ADVICE_QUERY,
  EVENTS_QUERY,
  FIXES,
  FIXES_QUERY,
  HEALTH,
  PATTERNS,
  POLICY_ANSWER,
  type Schema,
  TASK_QUERY,
} from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

interface TaskQuery extends Deployment {
  readonly task: string;
  readonly model?: string;
  readonly tool?: string;
  readonly agent?: string;
  readonly source?: string;
}

type AdviceQuery = Exclude<Parameters<RSILoop['advice']>[0], string | undefined>;

/** Routes that only read; requests change nothing. */
export function readingRoutes(service: Service): readonly Route[] {
  const { loop, feed } = service;
  return [
    {
      method: 'GET',
      url: '/health',
      summary: 'Health, 0 (broken) to 1 (healthy), as a whole and by task, model and source; attached sources',
      answers: json('Health as it is now.', HEALTH),
      handler: () => ({ ...loop.health(), sources: loop.sources.names }),
    },
    {
      method: 'GET',
      url: '/patterns',
      summary: 'What fails again and again, the costliest first',
      answers: json('As far as the last cycle has read.', PATTERNS),
      handler: () => ({ patterns: loop.patterns() }),
    },
    {
      method: 'GET',
      url: '/fixes',
      summary: 'Fixes that were proposed, tried, proven and rolled back, the newest first',
      query: FIXES_QUERY,
      answers: json('Fixes with their status and numbers.', FIXES),
      handler: ({ query }) => ({ fixes: loop.fixes(query as FixFilter) }), // as the schema says
    },
    {
      method: 'GET',
      url: '/policy',
      summary: 'The settings in force for a task, without any arm',
      query: TASK_QUERY,
      answers: json('Every setting by name.', POLICY_ANSWER),
      handler: ({ query }) => {
        const { task, ...scope } = query as unknown as TaskQuery; // as the schema says
        return { task, policy: loop.policy(task, scope) };
      },
    },
    {
      method: 'GET',
      url: '/advice',
      summary: 'The rules for a session, each in its own words; with its id also those on trial in it',
      query: ADVICE_QUERY,
      answers: json('Mostly none.', ADVICE_ANSWER),
      handler: ({ query }) => ({ advice: loop.advice(query as AdviceQuery) }), // as the schema says
    },
    {
      method: 'GET',
      url: '/metrics',
      summary: 'Numbers for Prometheus, in its text format 0.0.4',
      answers: {
        status: 200,
        description: 'Samples.',
        content: { 'text/plain': { type: 'string' } },
        type: 'text/plain; version=0.0.4; charset=utf-8',
      },
      handler: () => renderMetrics(service),
    },
    {
      method: 'GET',
      url: '/events',
      summary: 'What happens in the loop, as server-sent events; Last-Event-ID gives what was missed',
      query: EVENTS_QUERY,
      answers: {
        status: 200,
        description: 'A stream that does not end.',
        content: { 'text/event-stream': { type: 'string' } },
      },
      handler: ({ raw, response, query }) => {
        const { kinds } = query as { readonly kinds?: string }; // as the schema says
        const wanted = feed.mayRead(kinds);
        const lastId = raw.headers['last-event-id'];
        feed.read(response, wanted, typeof lastId === 'string' ? lastId : undefined);
      },
    },
  ];
}

function json(description: string, schema: Schema): Route['answers'] {
  return { status: 200, description, content: { [JSON_TYPE]: schema } };
}
