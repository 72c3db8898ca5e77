import { styleText } from 'node:util';
import type { Fix, Health, Pattern, TrialFigures, Verdict } from 'rsi-loop';

/** Output of the demo, a line for each event. */
export class Screen {
  readonly #startedMs = performance.now();
  readonly #quiet: boolean;

  constructor(quiet: boolean) {
    this.#quiet = quiet;
  }

  say(text: string): void {
    if (!this.#quiet) console.log(text);
  }

  health(health: Health, tasks: number): void {
    const score = health.score;
    const bar = '█'.repeat(Math.round(score * 20)).padEnd(20, '░');
    const color = score > 0.95 ? 'green' : score > 0.8 ? 'yellow' : 'red';
    const name = `health ${score.toFixed(2)} ${bar}`;
    this.#line(`${health.known ? styleText(color, name) : name}  ${tasks} tasks`);
  }

  pattern({ task, issue, rate, where, template }: Pattern): void {
    const place =
      where === 'global' ? '' : ` on ${where.map((each) => Object.entries(each).flat().join(' ')).join(' and on ')}`;
    this.#line(
      `${styleText('yellow', 'pattern')}  ${task}: ${issue}${place}, ${percent(rate.value)} of ${rate.of}  ${dim(cut(template))}`,
    );
  }

  fix({ task, target, change, reason }: Fix): void {
    this.#line(
      `${styleText('cyan', 'fix')}      ${task}: ${target} -> ${change.kind === 'policy' ? JSON.stringify(change.set) : target}`,
    );
    this.#line(dim(`         ${reason}`));
  }

  trial({ task, target, trial }: Fix): void {
    this.#line(
      `${styleText('cyan', 'trial')}    ${task}: ${target}, each ${trial?.unit} drawn at random, half with the fix`,
    );
  }

  capital({ task, target }: Fix, { eHelp, needed, fix, control }: TrialFigures): void {
    const growth = Math.max(0, Math.min(1, Math.log(Math.max(eHelp, 1)) / Math.log(needed)));
    const bar = '▰'.repeat(Math.round(growth * 10)).padEnd(10, '▱');
    const arms = `with ${fix.failures}/${fix.tasks}, without ${control.failures}/${control.tasks} failed`;
    this.#line(
      `${styleText('blue', 'capital')}  ${bar} ${short(eHelp)} of ${short(needed)}  ${task}: ${target}, ${arms}`,
    );
  }

  verdict({ task, target }: Fix, verdict: Verdict): void {
    if (!('figures' in verdict)) return;
    const { fix, control, effect, eHelp, eNone } = verdict.figures;
    const good = verdict.kind === 'confirmed';
    const why = verdict.kind === 'confirmed' ? '' : ` (${verdict.why})`;
    this.#line(`${styleText(good ? 'green' : 'magenta', `verdict  ${verdict.kind}${why}`)}  ${task}: ${target}`);
    this.#line(
      `         failed with the fix ${share(fix)}, without it ${share(control)}; ratio ${effect.value.toFixed(2)} ` +
        `(${effect.low.toFixed(2)} to ${effect.high.toFixed(2)}), evidence for ${short(eHelp)}, for no effect ${short(eNone)}`,
    );
  }

  rolledBack({ task, target }: Fix, reason: string): void {
    this.#line(`${styleText('magenta', 'undone')}   ${task}: ${target} is as it was before  ${dim(reason)}`);
  }

  problem(where: string, message: string): void {
    this.#line(`${styleText('red', 'problem')}  ${where}: ${message}`);
  }

  #line(text: string): void {
    if (this.#quiet) return;
    const seconds = ((performance.now() - this.#startedMs) / 1000).toFixed(1).padStart(5);
    console.log(`${dim(`${seconds}s`)}  ${text}`);
  }
}

function dim(text: string): string {
  return styleText('dim', text);
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(ratio < 0.1 ? 1 : 0)} %`;
}

function share({ failures, tasks }: { failures: number; tasks: number }): string {
  return `${failures} of ${tasks} (${percent(tasks === 0 ? 0 : failures / tasks)})`;
}

function short(value: number): string {
  return value >= 1000 ? value.toExponential(1) : value >= 10 ? value.toFixed(0) : value.toFixed(2);
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}
