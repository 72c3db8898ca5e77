import type { Paint } from '../terminal/paint.js';

interface Started {
  readonly url: string;
  /** The folder the records go to. */
  readonly folder: string;
  /** How often the loop looks at what came in, and finds patterns in it. */
  readonly cycleSeconds: number;
  /** Senders have to show a token, which stands in this variable. */
  readonly tokenVariable?: string;
  /** The file with the token for decisions, which this process made. */
  readonly decisionFile?: string;
}

/** Where it listens, and three commands to try it with, in lines that a terminal does not break. */
export function renderStarted(
  { url, folder, cycleSeconds, tokenVariable, decisionFile }: Started,
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
    ...(decisionFile === undefined
      ? []
      : [`decisions need the token in ${decisionFile}, which only this user can read`]),
    `patterns come up to ${cycleSeconds} s after the failures they are made of; --cycle changes that`,
    paint('dim', `${url}/openapi.json lists what else there is; Ctrl-C ends it, and what was answered is kept`),
    '',
  ].join('\n');
}

/** On one line where there is little to say; otherwise each part on its own. */
function curl(...parts: readonly string[]): string {
  return `  curl ${parts.join(parts.length > 1 ? ' \\\n    ' : ' ')}`;
}
