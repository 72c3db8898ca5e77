import { LoopError } from 'rsi-loop';
import { localTimeIn, readMinute, readRange } from './day-clock.js';
import { ALERTS, type NotifyOptions, type NotifyTarget } from './notify-options.js';

type Fields = Readonly<Record<string, unknown>>;

const KINDS = ['slack', 'discord', 'teams', 'webhook', 'email', 'desktop'] as const satisfies NotifyTarget['kind'][];
const TARGET_FIELDS: Readonly<Record<NotifyTarget['kind'], readonly string[]>> = {
  slack: ['kind', 'url'],
  discord: ['kind', 'url'],
  teams: ['kind', 'url'],
  webhook: ['kind', 'url', 'headers', 'secret'],
  email: ['kind', 'url', 'headers', 'from', 'to'],
  desktop: ['kind'],
};
const FIELDS = [
  ...['targets', 'on', 'healthBelow', 'quietHours', 'digestAt', 'timeZone', 'dashboardUrl'],
  ...['everyMs', 'timeoutMs', 'fetch', 'clock'],
];
const MAX_TARGETS = 20;
const SHORTEST_SECRET = 16;

/**
 * Checks options from code or from a configuration file.
 * @throws LoopError `invalid-input` naming the field. The message never contains an address, a header or a secret.
 */
export function readNotifyOptions(input: unknown): NotifyOptions {
  const fields = fieldsOf('notify', input, FIELDS);
  const { targets, on, healthBelow, everyMs, timeoutMs } = fields;
  if (!Array.isArray(targets) || targets.length === 0 || targets.length > MAX_TARGETS) {
    wrong('notify.targets', `give a list of 1 to ${MAX_TARGETS}, such as [{ "kind": "desktop" }]`);
  }
  targets.forEach((target, index) => void checkTarget(`notify.targets[${index}]`, target));
  if (on !== undefined && !(Array.isArray(on) && on.every((one) => ALERTS.includes(one)))) {
    wrong('notify.on', `give a list of ${ALERTS.join(', ')}`);
  }
  checkNumber('notify.healthBelow', healthBelow, 0, 1);
  checkNumber('notify.everyMs', everyMs, 1_000, 86_400_000);
  checkNumber('notify.timeoutMs', timeoutMs, 1, 120_000);
  checkTimes(fields);
  if (fields.dashboardUrl !== undefined) checkUrl('notify.dashboardUrl', fields.dashboardUrl);
  // Every field was checked above.
  return fields as unknown as NotifyOptions;
}

function checkTarget(path: string, input: unknown): void {
  const kind = KINDS.find((one) => one === (input as Partial<NotifyTarget> | undefined)?.kind);
  if (kind === undefined) wrong(`${path}.kind`, `give one of ${KINDS.join(', ')}`);
  const { url, headers, secret, from, to } = fieldsOf(path, input, TARGET_FIELDS[kind]);
  if (kind === 'desktop') return;
  checkUrl(`${path}.url`, url);
  if (headers !== undefined) checkHeaders(`${path}.headers`, headers);
  if (secret !== undefined && !(typeof secret === 'string' && secret.length >= SHORTEST_SECRET)) {
    wrong(`${path}.secret`, `give at least ${SHORTEST_SECRET} characters`);
  }
  if (kind !== 'email') return;
  if (!isAddress(from)) wrong(`${path}.from`, 'give an e-mail address');
  if (!Array.isArray(to) || to.length === 0 || !to.every(isAddress)) {
    wrong(`${path}.to`, 'give a list of e-mail addresses');
  }
}

function checkTimes({ quietHours, digestAt, timeZone }: Fields): void {
  if (quietHours !== undefined && !(typeof quietHours === 'string' && readRange(quietHours))) {
    wrong('notify.quietHours', 'give two times, such as "22:00-07:00"');
  }
  if (digestAt !== undefined && !(typeof digestAt === 'string' && readMinute(digestAt) !== undefined)) {
    wrong('notify.digestAt', 'give a time, such as "08:30"');
  }
  if (timeZone === undefined) {
    // The zone of a server is usually not that of its people.
    if (quietHours === undefined && digestAt === undefined) return;
    wrong('notify.timeZone', 'name the zone of quietHours and digestAt, such as "Europe/Berlin" or "UTC"');
  }
  try {
    localTimeIn(String(timeZone));
  } catch {
    wrong('notify.timeZone', 'name a zone of the IANA list, such as "Europe/Berlin" or "UTC"');
  }
}

function checkUrl(path: string, input: unknown): void {
  const url = typeof input === 'string' && URL.canParse(input) ? new URL(input) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    wrong(path, 'give an address that begins with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') wrong(path, 'leave out the user and password: send them in headers');
}

function checkHeaders(path: string, input: unknown): void {
  try {
    new Headers(input as Record<string, string>);
  } catch {
    // The platform's error would show the value.
    wrong(path, 'give names and values that can be sent, without line ends');
  }
}

function checkNumber(path: string, value: unknown, min: number, max: number): void {
  if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return;
  wrong(path, `give a number from ${min} to ${max}`);
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && !/\p{Cc}/u.test(value) && /[^\s@]@[^\s@]+$/.test(value);
}

function fieldsOf(path: string, input: unknown, known: readonly string[]): Fields {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) wrong(path, 'give an object');
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined)
    wrong(`${path}.${unknown.slice(0, 40)}`, `this field is unknown; known are ${known.join(', ')}`);
  return input as Fields; // an object, checked above
}

function wrong(path: string, advice: string): never {
  throw new LoopError('invalid-input', `${path} is not valid: ${advice}`);
}
