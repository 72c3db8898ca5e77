import { counted, whole } from '../../reports/words/numbers.js';
import type { SessionFindings } from '../../sources/sessions/session-review.js';
import { inputName } from '../import/problems.js';
import type { Look } from '../terminal/look.js';
import { paragraph } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';
import type { Report } from './report.js';

const SHOWN = 5;
const INDENT = 4;

/** Renders what sessions show without any error: unseen claims, corrections of users, and first wrong steps. */
export function renderSessions({ sessions }: Report, look: Look): string[] {
  if (sessions === undefined) return [];
  return [...unseen(sessions, look), ...corrections(sessions, look), ...wrongSteps(sessions, look)];
}

function section(title: string, lines: readonly string[], hidden: number, { paint }: Look): string[] {
  if (lines.length === 0) return [];
  const more = hidden > 0 ? [`${' '.repeat(INDENT)}${whole(hidden)} more: --json shows all`] : [];
  return ['', paint('bold', title), ...lines, ...more];
}

function unseen({ unseen: found, sessions }: SessionFindings, look: Look): string[] {
  const lines = found
    .slice(0, SHOWN)
    .flatMap(({ claimed, seen, line, path, proofs }) => [
      ...paragraph(`"${plain(claimed)}": ${seen}`, look, INDENT),
      ...proofs.flatMap((proof) => paragraph(`line ${proof.line}: ${plain(proof.text)}`, look, INDENT + 2, 'dim')),
      ...paragraph(`${plain(inputName(path))} line ${line}`, look, INDENT + 2, 'dim'),
    ]);
  const title = `claimed, not seen: ${counted(found.length, 'answer')} in ${counted(sessions, 'session')}; not counted as failures`;
  return section(title, lines, found.length - SHOWN, look);
}

const KINDS = {
  interrupt: 'interrupted',
  refusal: 'refused a call',
  said: 'said it was wrong',
  again: 'asked again',
} as const;

function corrections({ corrections: counts, repeated }: SessionFindings, look: Look): string[] {
  const kinds = (['interrupt', 'refusal', 'said', 'again'] as const).filter((kind) => counts[kind] > 0);
  if (kinds.length === 0) return [];
  const all = kinds.map((kind) => `${KINDS[kind]} ${whole(counts[kind])}×`).join(', ');
  const lines = repeated
    .slice(0, SHOWN)
    .flatMap(({ rule, count, condition, against }) => [
      ...paragraph(`${count}, ${plain(condition)}: ${plain(rule)}`, look, INDENT),
      ...(against === undefined
        ? []
        : paragraph(`elsewhere the opposite: "${plain(against)}". State when the rule holds.`, look, INDENT + 2)),
    ]);
  const figures = paragraph(all, look, INDENT);
  return section('corrected by the user', [...figures, ...lines], repeated.length - SHOWN, look);
}

function wrongSteps({ wrongSteps: found, failed }: SessionFindings, look: Look): string[] {
  const lines = found
    .slice(0, SHOWN)
    .flatMap(({ agent, line, why, path, proofs }) => [
      ...paragraph(`${plain(agent)}, step ${line}: ${why}`, look, INDENT),
      ...proofs.flatMap((proof) => paragraph(`step ${proof.line}: ${plain(proof.text)}`, look, INDENT + 2, 'dim')),
      ...paragraph(plain(inputName(path)), look, INDENT + 2, 'dim'),
    ]);
  const title = `first wrong step: shown by ${whole(found.length)} of ${counted(failed, 'failed session')}`;
  return section(title, lines, found.length - SHOWN, look);
}
