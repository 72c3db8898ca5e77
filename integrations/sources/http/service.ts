import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { RSILoop } from 'rsi-loop';
import { Counters } from './counters.js';
import { Credentials } from './credentials.js';
import { EventFeed } from './event-feed.js';
import type { RouteSettings } from './http-options.js';
import { Ingest } from './ingest.js';
import { OpenTasks } from './open-tasks.js';
import type { Schema } from './schemas.js';

/** Dependencies shared by the routes of one server. */
export interface Service {
  readonly loop: RSILoop;
  readonly settings: RouteSettings;
  readonly credentials: Credentials;
  readonly ingest: Ingest;
  readonly tasks: OpenTasks;
  /** Versions of the texts that programs declared here, by name. */
  readonly texts: Map<string, string>;
  readonly feed: EventFeed;
  readonly counters: Counters;
  /** Aborts when the server begins to close, which ends pending reads. */
  readonly closing: AbortSignal;
}

export function openService(settings: RouteSettings, closing: AbortSignal): Service {
  const { loop, clock, limits } = settings;
  const tasks = new OpenTasks(loop, clock, limits.openTasks);
  return {
    loop,
    settings,
    credentials: new Credentials(settings),
    ingest: new Ingest(loop, tasks, limits.rememberedIds),
    tasks,
    texts: new Map(),
    feed: new EventFeed(loop, clock, limits.eventReaders),
    counters: new Counters(loop),
    closing,
  };
}

/** Request to a route, with its parts as they were validated. */
export interface Asked {
  readonly raw: IncomingMessage;
  /** For routes that answer with a stream. */
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParsedUrlQuery;
  readonly body: unknown;
}

/** Route, with its description for `/openapi.json`. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  /** Schemas by content type. */
  readonly body?: Readonly<Record<string, Schema>>;
  /** True if the handler gets the JSON body as text and validates it itself. */
  readonly takesText?: true;
  /** Content types whose bodies are not read, with what to send instead. */
  readonly refuses?: { readonly types: readonly string[]; readonly detail: string };
  /** Status and schemas of the response, by content type. */
  readonly answers: {
    readonly status: 200 | 201;
    readonly description: string;
    readonly content: Readonly<Record<string, Schema>>;
    /** Content type of an answer that is a text. */
    readonly type?: string;
  };
  /** True if it decides on a fix; it then requires the decision token, if there is one. */
  readonly isDecision?: boolean;
  /** Returns the answer: a text, or a value for JSON. Undefined if the handler wrote the response. */
  handler(asked: Asked): unknown;
}

export const JSON_TYPE = 'application/json';
