import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { ALERTS, type Delivered, type NotifyOptions, notifyOnce } from 'rsi-loop/notify';
import { EXIT } from '../exit.js';
import { notifyOptions } from '../notify/from-config.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { lookAt } from '../terminal/look.js';
import { print, type Report } from '../terminal/output.js';
import { labelled, table } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';
import { jsonOption, verb } from '../verb.js';

interface Options {
  readonly test?: true;
  readonly json?: true;
}

const NOTE = {
  title: 'Test of rsi alerts',
  lines: ['If you can read this, alerts arrive here.'],
};

/** The verb `rsi notify`: shows where alerts go, and sends a test alert. */
export const notify = verb<Options>({
  description:
    'Shows where alerts go and when. With --test it sends one alert to each target, also in quiet hours, and ends with exit code 1 if one does not arrive. Targets are in "notify" of rsi.config.ts, or in variables such as RSI_NOTIFY_SLACK. Addresses are never printed.',
  examples: [
    ['notify', 'where alerts go'],
    ['notify --test', 'send one to each target'],
  ],
  options: [new Option('--test', 'send a test alert to each target'), jsonOption()],
  run: async ({ test, json }, _argument, config) => {
    const options = await notifyOptions(await config(), process.env);
    if (!options) {
      const advice = 'set RSI_NOTIFY_SLACK to the address of a Slack webhook, or "notify" in rsi.config.ts';
      throw new LoopError('invalid-input', `no target for alerts is configured: ${advice}`);
    }
    const { signal, release } = onInterrupt();
    const interrupted = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    const delivered = test ? await Promise.race([notifyOnce(options, NOTE), interrupted]) : undefined;
    release();
    if (signal.aborted) return EXIT.interrupted;
    await print(reportOf(options, delivered), json);
    return delivered?.some(({ isSent }) => !isSent) ? EXIT.attention : EXIT.done;
  },
});

function reportOf(options: NotifyOptions, delivered: readonly Delivered[] | undefined): Report {
  const { targets, on = ALERTS, healthBelow, quietHours, digestAt, timeZone } = options;
  const names = targets.map((target) => {
    return target.kind === 'desktop' ? 'desktop' : `${target.kind} ${new URL(target.url).host}`;
  });
  const look = lookAt(process.stdout);
  const facts: readonly (readonly [label: string, text: string])[] = [
    ['alerts on', on.filter((one) => one !== 'health' || healthBelow !== undefined).join(', ')],
    ...(healthBelow === undefined ? [] : [['health', `below ${healthBelow}`] as const]),
    ...(quietHours === undefined ? [] : [['quiet', `${quietHours} ${timeZone}`] as const]),
    ...(digestAt === undefined ? [] : [['digest', `${digestAt} ${timeZone}`] as const]),
  ];
  const rows = names.map((target, at) => ({ cells: [plain(target), resultWords(delivered?.[at])] }));
  const lines = [
    ...table([{ head: 'target' }, { head: delivered ? 'test' : '' }], rows, look),
    ...(delivered ? [] : ['', ...facts.flatMap(([label, text]) => labelled(label, text, look))]),
  ];
  return {
    document: {
      format: 'rsi-notify/1',
      targets: delivered ?? names.map((target) => ({ target })),
      ...{ on, healthBelow, quietHours, digestAt, timeZone },
    },
    text: `${lines.join('\n')}\n`,
  };
}

function resultWords(result: Delivered | undefined): string {
  if (!result) return '';
  return result.isSent ? 'sent' : `not sent: ${plain(result.problem ?? '')}`;
}
