import type { ProbedServer } from 'rsi-loop/models';
import { wrap } from '../terminal/lines.js';
import { length, whole } from '../terminal/numbers.js';
import type { Paint } from '../terminal/paint.js';
import { padEnd, plain } from '../terminal/text.js';
import type { Speed } from './speed.js';

/** Column in which texts begin. */
const LABEL = 10;

/** Server in the list. */
export interface ServerRow extends Pick<ProbedServer, 'kind' | 'url' | 'health'> {
  readonly speed?: Speed;
}

/** Renders every server with its models, and what a loop would do with them. */
export function renderModels(
  rows: readonly ServerRow[],
  why: readonly string[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string {
  const lines = rows.flatMap(({ kind, url, health, speed }) => {
    const mark = health.ok ? paint('green', '✓') : paint('red', '✗');
    const version = health.version === undefined ? '' : ` ${plain(health.version)}`;
    return [
      `${mark} ${paint('bold', plain(url))}  ${kind}${version}`,
      ...(health.ok
        ? [...labelled('models', health.models.map(plain).join(', '), width), ...queue(health, width)]
        : labelled('problem', plain(health.problem ?? ''), width)),
      ...(speed ? labelled('speed', describeSpeed(speed), width) : []),
      '',
    ];
  });
  return `${[...lines, ...why.flatMap((line) => wrap(plain(line), width))].join('\n')}\n`;
}

function queue({ running, waiting }: ServerRow['health'], width: number): string[] {
  if (running === undefined && waiting === undefined) return [];
  return labelled('queue', `${whole(running ?? 0)} running, ${whole(waiting ?? 0)} waiting`, width);
}

function describeSpeed(speed: Speed): string {
  if (!speed.ok) return plain(speed.problem);
  const { model, firstMs, totalMs, tokensPerSecond } = speed;
  const rate = tokensPerSecond === undefined ? '' : `, ${whole(tokensPerSecond)} tokens per second`;
  return `${plain(model)}: first text after ${length(firstMs)}, all after ${length(totalMs)}${rate}`;
}

function labelled(label: string, text: string, width: number): string[] {
  return wrap(text, width - LABEL).map((line, index) => `${padEnd(index === 0 ? `  ${label}` : '', LABEL)}${line}`);
}
