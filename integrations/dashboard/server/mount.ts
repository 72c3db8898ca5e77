import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { type Clock, LoopError, SystemClock } from 'rsi-loop';
import { mustBe, showValue } from 'rsi-loop/kit';
import { readHosts } from '../../http/guard.js';
import { readSecret } from '../../http/secret.js';
import type { ViewSource } from '../views.js';
import { DashboardServer } from './dashboard-server.js';
import { randomId } from './server-sessions.js';

/** Options of a dashboard that do not concern its data. */
export interface MountOptions {
  /** Path that the dashboard is mounted on. Begins and ends with `/`. Default `/`. */
  readonly prefix?: string;
  /**
   * Token that a person enters to sign in; at least 16 characters. Without it, the dashboard serves its own machine
   * only.
   */
  readonly token?: string;
  /**
   * Token that a person enters to decide; at least 16 characters. Default: `token`. Without either, the dashboard creates
   * one for `openPath`, because every user of a machine can reach its loopback address.
   */
  readonly decisionToken?: string;
  /**
   * Host names of the server besides `localhost`, such as `rsi.internal`. With `token`, its IP addresses and the name of
   * the machine are accepted too.
   */
  readonly allowedHosts?: readonly string[];
  /** Folder with the files of the page. Default: that of the package. */
  readonly assets?: string;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

/** Dashboard of one loop, for any HTTP server of Node. */
export interface Dashboard {
  /**
   * Path to open in a browser. If the dashboard created the token for decisions, the path contains it, and opening it
   * signs in.
   */
  readonly openPath: string;
  /** Answers a request below the prefix. Returns false, and does nothing, for any other. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Ends event streams and reading. The loop and the server stay open. */
  close(): Promise<void>;
}

interface Ports {
  /** Receives errors that the owner of the server should know about. */
  readonly onProblem: (message: string) => void;
  /** Way to the link that signs in, if the dashboard created the token for decisions. Ends a sentence. */
  readonly linkAdvice?: string;
  /** True if anyone who may read may decide, because the data is simulated. */
  readonly isHarmless?: boolean;
}

/**
 * Serves the page with the views of a source, which it closes with the dashboard.
 * @throws LoopError `invalid-input` naming the invalid option.
 */
export function mountViews(source: ViewSource, options: MountOptions, ports: Ports): Dashboard {
  const { prefix = '/', allowedHosts = [], clock = new SystemClock(), assets } = options;
  if (typeof prefix !== 'string' || !/^\/(?:[\w.~-]+\/)*$/.test(prefix)) {
    const message = `prefix is ${showValue(prefix)}: give a path such as /dashboard/`;
    throw new LoopError('invalid-input', message);
  }
  mustBe(assets === undefined || typeof assets === 'string', 'assets', showValue(assets), 'a folder');
  const token = readSecret('token', options.token);
  const given = readSecret('decisionToken', options.decisionToken);
  const isSecret = token !== undefined || given !== undefined || ports.isHarmless === true;
  const created = isSecret ? undefined : randomId();
  const server = new DashboardServer(source, {
    prefix,
    token,
    decisionToken: given ?? created,
    allowedHosts: new Set([...readHosts(allowedHosts), ...(token === undefined ? [] : [hostname().toLowerCase()])]),
    assets,
    clock,
    signInAdvice: (created !== undefined && ports.linkAdvice) || ENTER_TOKEN,
    onProblem: ports.onProblem,
  });
  return {
    openPath: created === undefined ? prefix : `${prefix}open/${created}`,
    handle: (request, response) => server.handle(request, response),
    close: () => server.close(),
  };
}

const ENTER_TOKEN = 'enter the token for decisions (decisionToken of this server)';
