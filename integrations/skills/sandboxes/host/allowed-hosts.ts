import { isIP } from 'node:net';
import { LoopError } from 'rsi-loop';

/** Returns whether the list has the host and port of a URL. */
export type AllowedHosts = (url: URL) => boolean;

/** Host of an entry: `*.` before it means its subdomains. */
const ENTRY = /^(\*\.)?([^/?#@\\\s*]+)$/;

/** @throws LoopError `invalid-input` naming an entry that is not a host. */
export function readHosts(entries: readonly string[]): AllowedHosts {
  const tests = entries.map(readEntry);
  return (url) => tests.some((test) => test(url));
}

function readEntry(entry: string): AllowedHosts {
  const [, subdomains, host = ''] = ENTRY.exec(entry) ?? [];
  const parsed = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  const isHost = parsed !== undefined && parsed.hostname !== '' && !(subdomains && addressOf(parsed));
  if (!isHost) {
    const advice = 'give hosts such as "api.example.com", "*.example.com" or "api.example.com:8443"';
    throw new LoopError('invalid-input', `cannot allow the host ${JSON.stringify(entry)}: ${advice}`);
  }
  const name = hostOf(parsed);
  // URL drops the port 80 of http.
  const port = /:\d+$/.test(host) && !host.endsWith(']') ? parsed.port || '80' : undefined;
  return (url) => {
    const isNamed = subdomains ? hostOf(url).endsWith(`.${name}`) : hostOf(url) === name;
    return isNamed && (port === undefined ? url.port === '' : portOf(url) === port);
  };
}

/** Host in lower case, without brackets and the dot of a full name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Address in a URL that has one instead of a name. */
export function addressOf(url: URL): string | undefined {
  const host = hostOf(url);
  return isIP(host) === 0 ? undefined : host;
}

export function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}
