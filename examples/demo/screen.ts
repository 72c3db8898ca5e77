import { styleText } from 'node:util';
import type { Fix, Health, Pattern, TrialFigures, Verdict } from 'rsi-loop';

const COLUMNS = 80;
/** Columns of the time and the label before a text. */
const BEFORE = 19;

type Color = Parameters<typeof styleText>[0];

/** Output of the demo, some lines for each event. */
export class Screen {
  readonly #startedMs = performance.now();
  readonly #quiet: boolean;

  constructor(quiet: boolean) {
    this.#quiet = quiet;
  }

  say(text: string): void {
    if (!this.#quiet) for (const line of wrapped(text, COLUMNS)) console.log(line);
  }

  health({ score, known }: Health, tasks: number): void {
    const bar = '█'.repeat(Math.round(score * 20)).padEnd(20, '░');
    const color = score > 0.95 ? 'green' : score > 0.8 ? 'yellow' : 'red';
    this.#event('health', known ? color : 'dim', `${bar} ${percent(score)} succeed, after ${tasks} tasks`);
  }

  pattern({ task, issue, rate, where, template }: Pattern): void {
    const place =
      where === 'global' ? '' : ` on ${where.map((each) => Object.entries(each).flat().join(' ')).join(' and on ')}`;
    const what = `${task}: ${issue}${place}, ${percent(rate.value)} of ${rate.of}`;
    this.#event('pattern', 'yellow', what, template.replace(/\s+/g, ' '));
  }

  fix({ task, target, change, reason }: Fix): void {
    const value = change.kind === 'policy' ? JSON.stringify(change.set) : target;
    this.#event('fix', 'cyan', `${task}: ${value}`, reason);
  }

  trial({ task, target, trial }: Fix): void {
    this.#event('trial', 'cyan', `${task}: ${target}. Of each ${trial?.unit}, half at random get the fix`);
  }

  evidence({ task, target }: Fix, { eHelp, needed, fix, control }: TrialFigures): void {
    const share = Math.max(0, Math.min(1, Math.log(Math.max(eHelp, 1)) / Math.log(needed)));
    const bar = '▰'.repeat(Math.round(share * 10)).padEnd(10, '▱');
    const arms = `failed ${ofAll(fix)} with it, ${ofAll(control)} without`;
    this.#event('evidence', 'blue', `${bar} ${task}: ${target}`, arms);
  }

  verdict({ task, target }: Fix, verdict: Verdict): void {
    if (!('figures' in verdict)) return;
    const { fix, control } = verdict.figures;
    const isGood = verdict.kind === 'confirmed';
    const title = isGood ? 'proven to help, and kept' : `taken back (${verdict.why})`;
    const arms = `failed ${ofAll(fix)} with it, ${ofAll(control)} without`;
    this.#event('verdict', isGood ? 'green' : 'magenta', `${task}: ${target} is ${title}`, arms);
  }

  rolledBack({ task, target }: Fix, reason: string): void {
    this.#event('undone', 'magenta', `${task}: ${target} is as it was before`, reason);
  }

  /** Printed also by a quiet screen. */
  claim(claim: string, isTrue: boolean): void {
    const [first = '', ...more] = wrapped(claim, COLUMNS - 5);
    console.log(`${isTrue ? 'yes' : 'NO '}  ${first}`);
    for (const line of more) console.log(`     ${line}`);
  }

  problem(where: string, message: string): void {
    this.#event('problem', 'red', `${where}: ${message}`);
  }

  #event(label: string, color: Color, text: string, more = ''): void {
    if (this.#quiet) return;
    const seconds = ((performance.now() - this.#startedMs) / 1000).toFixed(1).padStart(6);
    const lines = wrapped(text, COLUMNS - BEFORE);
    const rest = more === '' ? [] : wrapped(more, COLUMNS - BEFORE);
    console.log(`${dim(`${seconds}s`)}  ${styleText(color, label.padEnd(BEFORE - 9))}${lines[0] ?? ''}`);
    for (const line of lines.slice(1)) console.log(' '.repeat(BEFORE) + line);
    for (const line of rest) console.log(' '.repeat(BEFORE) + dim(line));
  }
}

/** Breaks a text between words, and words that are longer than a line. */
function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ').flatMap((each) => each.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''])) {
    const last = lines.length - 1;
    const line = lines[last] ?? '';
    if (line === '') lines[last] = word;
    else if (line.length + 1 + word.length <= columns) lines[last] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function dim(text: string): string {
  return styleText('dim', text);
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(ratio < 0.1 ? 1 : 0)} %`;
}

function ofAll({ failures, tasks }: { readonly failures: number; readonly tasks: number }): string {
  return `${failures} of ${tasks}`;
}
