import { type AssumptionCheck, auditTrial, type TrialAudit } from 'rsi-loop/prove';
import { counted, moment } from '../../reports/words/numbers.js';
import { findFix } from '../fixes/find-fix.js';
import { titleLine } from '../fixes/status-words.js';
import type { Look } from '../terminal/look.js';
import { paragraph } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';
import { numberOption, readVerb } from '../verb.js';

interface Options {
  readonly draws?: number;
}

/** The verb `rsi audit <id>`: repeats a trial from the records, also with permuted arms, and checks its assumptions. */
export const audit = readVerb<Options, string>({
  description: 'Repeats the trial of a fix from its records, also with redrawn arms, and checks each assumption.',
  examples: [
    ['audit 1371', 'the beginning of an id is enough'],
    ['audit 1371 --draws 1000', 'with more redraws of the arms'],
  ],
  options: [numberOption('--draws <number>', 'how often arms are redrawn (default 200)', { min: 0, max: 10_000 })],
  rebuilt: true,
  read: async (loop, { draws }, id, look) => {
    const found = await auditTrial(loop, findFix(loop, id, look.next).id, draws === undefined ? {} : { draws });
    return { document: { format: 'rsi-audit/1', ...found }, text: renderAudit(found, look) };
  },
});

/** Renders an audit for people: one paragraph for each assumption. */
function renderAudit({ fix, openedMs, endMs, starts, outcomes, checks }: TrialAudit, look: Look): string {
  const broken = checks.filter(({ holds }) => holds === 'no');
  const sum =
    broken.length === 0
      ? 'no assumption is contradicted'
      : `contradicted: ${broken.map(({ name }) => name).join(', ')}`;
  const span = `trial from ${moment(openedMs)} to ${moment(endMs)}: ${counted(starts, 'start')}, ${counted(outcomes, 'outcome')}`;
  const lines = [
    titleLine(fix, look),
    ...paragraph(span, look),
    ...paragraph(sum, look, 0, broken.length === 0 ? 'green' : 'red'),
    ...checks.flatMap((check) => ['', ...checkLines(check, look)]),
  ];
  return `${lines.join('\n')}\n`;
}

function checkLines({ name, assumes, holds, found, p }: AssumptionCheck, look: Look): readonly string[] {
  const chance = p === undefined ? '' : ` (by chance ${p < 0.001 ? 'less than 0.1' : (100 * p).toPrecision(2)} %)`;
  return [
    look.paint(COLOURS[holds], `${WORDS[holds]} ${name}`),
    ...paragraph(plain(assumes), look, 4),
    ...paragraph(plain(`${found}${chance}`), look, 4),
  ];
}

const WORDS = { yes: 'holds', no: 'BROKEN', unknown: 'unknown' } as const;
const COLOURS = { yes: 'green', no: 'red', unknown: 'yellow' } as const;
