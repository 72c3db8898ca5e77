import type { RouteHandlerMethod } from 'fastify';
import type { RSILoop } from 'rsi-loop';
import { Counters } from './counters.js';
import { Credentials } from './credentials.js';
import { EventFeed } from './event-feed.js';
import { Ingest } from './ingest.js';
import { OpenTasks } from './open-tasks.js';
import type { RouteSettings } from './options.js';
import type { Schema } from './schemas.js';

/** What the routes of one server share. */
export interface Service {
  readonly loop: RSILoop;
  readonly settings: RouteSettings;
  readonly credentials: Credentials;
  readonly reception: Ingest;
  readonly tasks: OpenTasks;
  readonly feed: EventFeed;
  readonly counters: Counters;
  /** Aborts when the server begins to close: what is still being read ends then. */
  readonly closing: AbortSignal;
}

export function openService(settings: RouteSettings, closing: AbortSignal): Service {
  const { loop, clock, limits } = settings;
  return {
    loop,
    settings,
    credentials: new Credentials(settings),
    reception: new Ingest(loop, limits.rememberedIds),
    tasks: new OpenTasks(loop, clock, limits.openTasks),
    feed: new EventFeed(loop, clock, limits.eventReaders),
    counters: new Counters(loop),
    closing,
  };
}

/** One route: what fastify needs, and what `/openapi.json` says of it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly summary: string;
  readonly params?: Schema;
  readonly querystring?: Schema;
  /** By content type. */
  readonly body?: Readonly<Record<string, Schema>>;
  /** Its handler gets the JSON of the body as text, and says itself what is wrong with it. */
  readonly takesText?: true;
  /** Status and what is answered, by content type. */
  readonly answers: {
    readonly status: 200 | 201;
    readonly description: string;
    readonly content: Readonly<Record<string, Schema>>;
  };
  /** It decides on a fix: the decision token is asked for, where there is one. */
  readonly isDecision?: boolean;
  readonly handler: RouteHandlerMethod;
}

export const JSON_TYPE = 'application/json';
