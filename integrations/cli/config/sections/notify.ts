import type { NotifyOptions } from 'rsi-loop/notify';
import { custom, flag, number, object, text, texts, url } from '../check-config.js';

/** Settings of alerts: the options of `notifier`, and short forms for the usual targets. */
export interface NotifyConfig extends Partial<Omit<NotifyOptions, 'clock' | 'fetch'>> {
  /** Address of an incoming webhook of Slack. */
  readonly slack?: string;
  /** Address of a webhook of Discord. */
  readonly discord?: string;
  /** Address of a workflow of Teams. */
  readonly teams?: string;
  /** Address that gets each alert as JSON. */
  readonly webhook?: string;
  /** Whether this machine shows alerts. */
  readonly desktop?: boolean;
}

const secretUrl = url('an http or https address', { isSecret: true });

/** Checks types. `rsi notify` and the verbs that send alerts check the rest. */
export const notifyCheck = object<NotifyConfig>({
  slack: secretUrl,
  discord: secretUrl,
  teams: secretUrl,
  webhook: secretUrl,
  desktop: flag(),
  targets: custom('a list of { kind, url }', Array.isArray, { isSecret: true }),
  on: texts('a list of alerts'),
  healthBelow: number('a number from 0 to 1', { min: 0, max: 1 }),
  quietHours: text("two times, such as '22:00-07:00'"),
  digestAt: text("a time, such as '08:30'"),
  timeZone: text("a zone, such as 'Europe/Berlin' or 'UTC'"),
  dashboardUrl: url(),
  everyMs: number('milliseconds, at least 1,000', { min: 1_000 }, { fallback: 60_000 }),
  timeoutMs: number('milliseconds, at least 1', { min: 1 }, { fallback: 10_000 }),
});
