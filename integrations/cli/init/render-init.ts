import { relative } from 'node:path';
import { counted } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import { beside, labelled, paragraph } from '../terminal/page.js';
import { shortPath } from '../terminal/short-path.js';
import { plain, wrap } from '../terminal/terminal-text.js';
import type { FileChange, Undone } from './changes.js';
import type { Found, Transcripts } from './detect.js';
import type { Plan } from './init-plan.js';
import { LOOP_LINES } from './sdks.js';

/** Renders what was found and the numbered plan. */
export function renderPlan(found: Found, plan: Plan, project: string, look: Look): string {
  const sections = [
    section('Found', foundLines(found, look), look),
    section(
      'Already done',
      plan.done.flatMap((text) => paragraph(plain(text), look, 2)),
      look,
    ),
    section('Plan', planLines(plan, project, look), look),
    section(
      'Not possible',
      plan.blocked.flatMap((text) => paragraph(plain(text), look, 2)),
      look,
    ),
    section(
      'Note',
      plan.notes.flatMap((text) => paragraph(text, look, 2)),
      look,
    ),
  ];
  return sections.flat().join('\n');
}

/** Renders what the user has to do in their own code: `rsi` never edits it. */
export function renderAdvice(found: Found, look: Look): string {
  const { sdks, agents, isInstalled } = found;
  const others = agents.filter(({ name }) => name === 'gemini');
  const lines = [
    ...(sdks.length > 0 ? sdkLines(found, look) : []),
    ...others.flatMap(({ name, title }) => {
      const text = `${title}: let its hooks call "${look.next(`hook ${name}`)}"; docs/sources/agents.md in the repository shows the settings.`;
      return [...paragraph(text, look, 2), ''];
    }),
    ...(sdks.length + agents.length === 0 ? nothingFound(look) : []),
  ];
  const install = sdks.length > 0 && !isInstalled ? ['  npm install rsi-loop', ''] : [];
  return section('Yours to do', [...install, ...lines], look)
    .join('\n')
    .trimEnd();
}

function section(title: string, lines: readonly string[], { paint }: Look): string[] {
  return lines.length === 0 ? [] : [paint('bold', title), ...lines, ''];
}

function foundLines({ agents, sdks, ruleFiles }: Found, look: Look): string[] {
  const rows: (readonly [string, string])[] = [
    ...agents.map(({ title, because, transcripts }) => {
      return [title, [homePath(because), ...(transcripts ? [sessionsOf(transcripts)] : [])].join(', ')] as const;
    }),
    ...sdks.map(({ sdk, name, version }) => [sdk.title, `${name} ${version}`] as const),
    ...(ruleFiles.length > 0 ? [['rules', ruleFiles.join(', ')] as const] : []),
  ];
  const shown = rows.length > 0 ? rows : [['nothing', 'no agent, and no library that rsi knows'] as const];
  return shown.flatMap(([label, text]) => labelled(label, plain(text), look, { indent: 2, column: 15 }));
}

function planLines({ changes, transcripts }: Plan, project: string, look: Look): string[] {
  const steps = [
    ...changes.map((change) => [`${verbOf(change)} ${plain(relative(project, change.path))}`, change.why] as const),
    ...transcripts.map(
      (each) =>
        [
          `read ${sessionsOf(each)} in ${plain(homePath(each.folder))}`,
          'and print what fails: on this machine only, nothing is sent or written',
        ] as const,
    ),
  ];
  if (steps.length === 0) return ['  nothing: all of it is done'];
  const lines = steps.flatMap(([head, why], index) => [
    ...beside(`  ${index + 1}. `, wrap(head, look.width - 5, { whole: true })),
    ...paragraph(plain(why), look, 5, 'dim'),
  ]);
  return changes.length > 0
    ? [...lines, ...paragraph(`Undo: ${look.next('init --undo')}, from a record in the folder of the loop`, look, 2)]
    : lines;
}

export function verbOf({ before }: FileChange): 'create' | 'change' {
  return before === undefined ? 'create' : 'change';
}

function sdkLines({ sdks }: Found, look: Look): string[] {
  const imports = [...new Set(sdks.map(({ sdk }) => sdk.imports))].filter((line) => line !== '');
  const [first = '', ...rest] = LOOP_LINES;
  const code = [
    first,
    ...imports,
    ...rest,
    ...sdks.flatMap(({ sdk }) => ['', `// ${sdk.title}`, ...sdk.use.split('\n')]),
  ];
  return [
    ...paragraph(
      'Paste these lines where your program creates its clients. docs/first-minutes.md in the repository shows them in programs that run.',
      look,
      2,
    ),
    '',
    ...code.map((line) => (line === '' ? '' : `  ${line}`)),
    '',
  ];
}

function nothingFound(look: Look): string[] {
  const ways = [
    ['analyze <folder>', 'what fails in logs that you have'],
    ['serve', 'then send outcomes with curl, from any language'],
    ['report <task> --error "..."', 'record one failure by hand'],
  ] as const;
  return ways.flatMap(([command, what]) => [`  ${look.next(command)}`, ...paragraph(what, look, 6, 'dim')]);
}

/** Renders what undoing did. */
export function renderUndone({ restored, removed, refused }: Undone, look: Look): string {
  const rows = [
    ...restored.map((file) => `${file} is as before`),
    ...removed.map((file) => `${file} was removed: init had created it`),
    ...refused.map((file) => `${file} was changed since, so it is left alone: ${byHand(file, look)}`),
  ];
  const lines = rows.length > 0 ? rows : ['every file is as before already'];
  return `${lines.flatMap((line) => wrap(plain(line), look.width, { whole: true })).join('\n')}\n`;
}

function byHand(file: string, look: Look): string {
  if (file.includes('.claude')) return `"${look.next('uninstall claude')}" removes the hooks`;
  return file === '.gitignore' ? 'remove the line of rsi yourself' : 'remove it yourself if you do not need it';
}

function sessionsOf({ sessions, ofProject }: Transcripts): string {
  return `${counted(sessions, 'session')} of ${ofProject ? 'this project' : 'all your projects'}`;
}

function homePath(path: string): string {
  const home = process.env.HOME;
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : shortPath(path);
}
