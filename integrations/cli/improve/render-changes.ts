import { describeComparison } from 'rsi-loop/bench';
import type { CodeChange } from 'rsi-loop/improve';
import { counted, moment } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import type { Report } from '../terminal/output.js';
import { labelled, paragraph } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';

/** Lists changes of code, the newest last. */
export function changesReport(changes: readonly CodeChange[], look: Look): Report {
  const lines = changes.flatMap((change) => [
    ...paragraph(headOf(change), look, 0, change.status === 'waiting' ? 'bold' : undefined),
    ...(change.status === 'waiting' ? paragraph(look.next(`improve show ${change.id.slice(0, 12)}`), look, 2) : []),
  ]);
  const text = lines.length === 0 ? 'no change of code was handed in yet\n' : `${lines.join('\n')}\n`;
  return { document: { format: 'rsi-improve-changes/1', changes }, text };
}

/** Shows a change of code: its evidence, the decision, and the diff. */
export function changeReport(change: CodeChange, diff: string, look: Look): Report {
  const { evidence, decision, base, commit } = change;
  const { repair } = evidence;
  const short = change.id.slice(0, 12);
  const lines = [
    ...paragraph(headOf(change), look, 0, 'bold'),
    ...(evidence.hypotheses ?? []).flatMap((why) => labelled('why', plain(why), look)),
    ...(repair ? labelled('by', plain(repair.by), look) : []),
    ...(repair
      ? [...labelled('before', plain(repair.before), look), ...labelled('after', plain(repair.after), look)]
      : []),
    ...(repair?.checks ?? []).flatMap((check) => labelled('check', plain(check), look)),
    ...(repair?.warnings ?? []).flatMap((warning) => paragraph(`warning   ${plain(warning)}`, look, 0, 'red')),
    ...evidence.comparisons.flatMap((one) => labelled('proof', plain(describeComparison(one)), look)),
    ...labelled('base', base.slice(0, 12), look),
    ...(commit ? labelled('commit', commit.slice(0, 12), look) : []),
    ...(decision
      ? labelled('decision', `${plain(decision.by)} on ${moment(decision.atMs)}: ${plain(decision.reason)}`, look)
      : []),
    ...(change.status === 'waiting'
      ? labelled('next', look.next(`improve approve ${short} --reason "..."`), look)
      : []),
    '',
    ...diff.split('\n').map(codeLine),
  ];
  return { document: { format: 'rsi-improve-change/1', change, diff }, text: `${lines.join('\n').trimEnd()}\n` };
}

function headOf({ id, name, status, lines, code }: CodeChange): string {
  return `${id.slice(0, 12)}  ${plain(name)}  ${status}, ${counted(lines, 'line')} of ${plain(Object.keys(code).join(', '))}`;
}

/** Indentation is part of code, and `plain` removes it. A tab is two spaces wide. */
function codeLine(line: string): string {
  const indent = /^[-+ ]?[ \t]*/.exec(line)?.[0] ?? '';
  return `${indent.replaceAll('\t', '  ')}${plain(line.slice(indent.length))}`.trimEnd();
}
