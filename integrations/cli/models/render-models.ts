import type { ProbedServer } from 'rsi-loop/models';
import { duration, whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import { labelled, paragraph } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';
import type { Speed } from './speed.js';

/** Server in the list. */
export interface ServerRow extends Pick<ProbedServer, 'kind' | 'url' | 'health'> {
  readonly speed?: Speed;
}

/** Renders every server with its models, what a loop would do with them, and what is known about remote ones. */
export function renderModels(
  rows: readonly ServerRow[],
  why: readonly string[],
  remote: readonly (readonly [label: string, text: string])[],
  look: Look,
): string {
  const { paint } = look;
  const say = (label: string, text: string) => labelled(label, text, look, { indent: 2, column: 8 });
  const lines = rows.flatMap(({ kind, url, health, speed }) => {
    const { ok, models, problem = '', version, running, waiting } = health;
    const mark = ok ? paint('green', '✓') : paint('red', '✗');
    const isQueueKnown = ok && (running !== undefined || waiting !== undefined);
    return [
      `${mark} ${paint('bold', plain(url))}  ${kind}${version === undefined ? '' : ` ${plain(version)}`}`,
      ...(ok ? say('models', models.map(plain).join(', ')) : say('problem', plain(problem))),
      ...(isQueueKnown ? say('queue', `${whole(running ?? 0)} running, ${whole(waiting ?? 0)} waiting`) : []),
      ...(speed ? say('speed', speedWords(speed)) : []),
      '',
    ];
  });
  const ofRemote = ['', paint('bold', 'remote'), ...remote.flatMap(([label, text]) => say(label, plain(text)))];
  return `${[...lines, ...why.flatMap((line) => paragraph(plain(line), look)), ...ofRemote].join('\n')}\n`;
}

function speedWords(speed: Speed): string {
  if (!speed.ok) return plain(speed.problem);
  const { model, firstMs, totalMs, tokensPerSecond } = speed;
  const rate = tokensPerSecond === undefined ? '' : `, ${whole(tokensPerSecond)} tokens per second`;
  return `${plain(model)}: first text after ${duration(firstMs)}, all after ${duration(totalMs)}${rate}`;
}
