import type { Clock } from 'rsi-loop';

/** Events that are sent as an alert. */
export const ALERTS = [
  'new-pattern',
  'returned-pattern',
  'burst',
  'proposal',
  'verdict',
  'health',
  'cycle-failing',
  'worse',
] as const;
/** Event that a person can be told about. */
export type Alert = (typeof ALERTS)[number];

/** Place that alerts are sent to. The addresses are secrets: they are never printed and never stored. */
export type NotifyTarget =
  | {
      readonly kind: 'slack' | 'discord' | 'teams';
      /** Address of an incoming webhook; for Teams, of a workflow "when a webhook request is received". */
      readonly url: string;
    }
  | {
      readonly kind: 'webhook';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Signs each body, as `rsi serve` expects it of its own senders. At least 16 characters. */
      readonly secret?: string;
    }
  | {
      /** Body of an e-mail service: `from`, `to`, `subject`, `text` and `html`, as Resend takes it. */
      readonly kind: 'email';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly from: string;
      readonly to: readonly string[];
    }
  /** Notification on this machine, by `notify-send`, `osascript` or PowerShell. */
  | { readonly kind: 'desktop' };

/** Options of `attachAlerts`. */
export interface NotifyOptions {
  /** 1 to 20 targets. */
  readonly targets: readonly NotifyTarget[];
  /** Events that are sent immediately. Default: all. `health` also needs `healthBelow`. */
  readonly on?: readonly Alert[];
  /** Sends one alert when health falls below this, and one when it recovers; 0 to 1. Default: never. */
  readonly healthBelow?: number;
  /** Local time without alerts, such as `22:00-07:00`. They are sent afterwards. Needs `timeZone`. */
  readonly quietHours?: string;
  /** Local time of a daily digest, such as `08:30`. Default: none. Needs `timeZone`. */
  readonly digestAt?: string;
  /** Time zone of `quietHours` and `digestAt`, such as `Europe/Berlin` or `UTC`. */
  readonly timeZone?: string;
  /** Address of your dashboard. Alerts then link to the pattern or fix. */
  readonly dashboardUrl?: string;
  /** Interval between two looks at the loop, in milliseconds. Default 60,000, at least 1,000. */
  readonly everyMs?: number;
  /** Longest wait for an answer, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  /** Sends the requests, for example through a proxy. Default: requests that do not keep the process alive. */
  readonly fetch?: NotifyFetch;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

/** Part of `fetch` that is used. */
export type NotifyFetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
  },
) => Promise<{ readonly status: number; readonly headers: { get(name: string): string | null } }>;
