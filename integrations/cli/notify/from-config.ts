import { LoopError, type RSILoop } from 'rsi-loop';
import type { NotifyOptions } from 'rsi-loop/notify';
import type { Configuration } from '../config/load.js';
import type { NotifyConfig } from '../config/sections/notify.js';

const SHORT_FORMS = ['slack', 'discord', 'teams', 'webhook'] as const;

/**
 * Returns the options of alerts in the configuration; undefined if it names no target. A text such as `$SLACK_URL` in a
 * target is the value of that variable, so that no secret has to be in a file.
 * @throws LoopError `invalid-input` for invalid options, or a variable that is not set.
 */
export async function notifyOptions(
  { values: { notify = {} } }: Pick<Configuration, 'values'>,
  env: NodeJS.ProcessEnv,
): Promise<NotifyOptions | undefined> {
  const { slack: _, discord: _d, teams: _t, webhook: _w, desktop, targets = [], ...rules } = notify;
  const all = [...shortForms(notify), ...(desktop ? [{ kind: 'desktop' }] : []), ...targets];
  if (all.length === 0) return undefined;
  const { readNotifyOptions } = await import('rsi-loop/notify');
  return readNotifyOptions({ ...rules, targets: withVariables(all, env, 'notify.targets') });
}

/** Attaches the alerts of the configuration to a loop. Closing the loop sends what is new. */
export async function attachAlerts(loop: RSILoop, options: NotifyOptions | undefined): Promise<void> {
  if (!options) return;
  const { notifier } = await import('rsi-loop/notify');
  loop.sources.attach(notifier(options));
}

function shortForms(notify: NotifyConfig): readonly object[] {
  return SHORT_FORMS.flatMap((kind) => (notify[kind] === undefined ? [] : [{ kind, url: notify[kind] }]));
}

function withVariables(value: unknown, env: NodeJS.ProcessEnv, path: string): unknown {
  if (typeof value === 'string') return readVariable(value, env, path);
  if (Array.isArray(value)) return value.map((each, index) => withVariables(each, env, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, withVariables(each, env, `${path}.${name}`)]);
  return Object.fromEntries(entries);
}

function readVariable(text: string, env: NodeJS.ProcessEnv, path: string): string {
  const name = /^\$([A-Za-z_]\w*)$/.exec(text)?.[1];
  if (name === undefined) return text;
  const value = env[name];
  if (value) return value;
  throw new LoopError('invalid-input', `${path} names the variable ${name}, which is not set: set it`);
}
