import type { Paint } from '../terminal/look.js';

interface Started {
  readonly url: string;
  /** Folder that the records are written to. */
  readonly folder: string;
  /** Seconds between cycles, which read new records and find patterns. */
  readonly cycleSeconds: number;
  readonly dashboard: boolean;
  /** Environment variable with the token that senders must present. */
  readonly tokenVariable?: string;
  /** Stream of Redis that outcomes are read from. */
  readonly stream?: string;
  /** File with the token for decisions, which this process created. */
  readonly decisionFile?: string;
}

/** Renders the address and three commands to try it, in lines that a terminal does not break. */
export function renderStarted(
  { url, folder, cycleSeconds, dashboard, tokenVariable, stream, decisionFile }: Started,
  paint: Paint,
): string {
  const token = tokenVariable === undefined ? [] : [`-H "authorization: Bearer $${tokenVariable}"`];
  const json = ["-H 'content-type: application/json'"];
  const outcome = [`-d '{"task":"api_call","success":false,"error":"429 Too Many Requests"}'`];
  return [
    `listening on ${paint('bold', url)}, keeping records in ${folder}`,
    '',
    curl(...token, ...json, ...outcome, `${url}/observe`),
    curl(...token, `${url}/patterns`),
    curl(...token, `${url}/health`),
    '',
    ...(dashboard ? [`the dashboard is at ${paint('bold', `${url}/dashboard/`)}`] : []),
    ...(stream === undefined ? [] : [`outcomes in the stream ${stream} of Redis are read too`]),
    ...(decisionFile === undefined
      ? []
      : [`decisions need the token in ${decisionFile}, which only this user can read`]),
    `patterns come up to ${cycleSeconds} s after the failures they are made of; --cycle changes that`,
    paint('dim', `${url}/openapi.json lists what else there is; Ctrl-C ends it, and what was answered is kept`),
    '',
  ].join('\n');
}

/** Formats a curl command: short ones on one line, others with each part on its own line. */
function curl(...parts: readonly string[]): string {
  return `  curl ${parts.join(parts.length > 1 ? ' \\\n    ' : ' ')}`;
}
