import { reportProblem } from 'rsi-loop';
import type { Dashboard } from 'rsi-loop/dashboard';
import type { RouteSettings } from './http-options.js';

/** Dashboard among the routes of a loop, with its paths. */
export interface MountedDashboard extends Pick<Dashboard, 'handle' | 'close'> {
  readonly paths: readonly string[];
}

/**
 * Opens the dashboard under `/dashboard/`. It checks requests itself. Reports a problem if the host knows no token for
 * decisions.
 */
export async function openDashboard(
  { loop, prefix, token, allowedHosts, clock }: RouteSettings,
  decisionToken: string | undefined,
): Promise<MountedDashboard> {
  // Loaded only if it is wanted.
  const { createDashboard } = await import('rsi-loop/dashboard');
  const dashboard = createDashboard({
    loop,
    clock,
    prefix: `${prefix}dashboard/`,
    allowedHosts: [...allowedHosts],
    ...(token !== undefined && { token }),
    ...(decisionToken !== undefined && { decisionToken }),
  });
  if (token === undefined && decisionToken === undefined) reportProblem(loop, 'http', NO_DECISIONS);
  return {
    paths: ['/dashboard', '/dashboard/*'],
    handle: (request, response) => dashboard.handle(request, response),
    close: () => dashboard.close(),
  };
}

const NO_DECISIONS =
  'the dashboard accepts no decisions: give the server a decisionToken (RSI_DECISION_TOKEN for rsi serve)';
