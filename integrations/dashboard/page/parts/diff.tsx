import { useState } from 'preact/hooks';
import type { Json } from 'rsi-loop';
import type { FixView } from '../../fix-views.js';
import { type DiffLine, diffLines } from '../lib/diff.js';
import { keepChoice, keptChoice } from '../lib/kept-choice.js';
import { oneLine, shown } from '../lib/recorded-text.js';

interface DiffProps {
  readonly change: FixView['change'];
  /** Unified diff of the file that the change writes. */
  readonly unified: string | undefined;
}

/** A change before and after, side by side or as one text. */
export function Diff({ change, unified }: DiffProps) {
  const [isUnified, setUnified] = useState(keptChoice('diff') === 'unified');
  const choose = (next: boolean) => {
    keepChoice('diff', next ? 'unified' : 'side');
    setUnified(next);
  };
  return (
    <div class="diff-frame">
      <fieldset class="choice">
        <legend class="unseen">How to show the change</legend>
        <button type="button" aria-pressed={!isUnified} onClick={() => choose(false)}>
          Side by side
        </button>
        <button type="button" aria-pressed={isUnified} onClick={() => choose(true)}>
          Unified
        </button>
      </fieldset>
      {isUnified && unified !== undefined ? (
        <UnifiedFile text={unified} />
      ) : (
        change.map(({ name, before, after }) => {
          const lines = diffLines(textOrJson(before), textOrJson(after));
          return (
            <div key={name} class="diff">
              <h3>
                <bdi>{oneLine(name, 200)}</bdi>
              </h3>
              {isUnified ? <Unified lines={lines} /> : <SideBySide lines={lines} />}
            </div>
          );
        })
      )}
    </div>
  );
}

function textOrJson(value: Json): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

function Unified({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <table class="diff-lines">
      <colgroup>
        <col class="sign-column" />
        <col />
      </colgroup>
      <tbody>
        {lines.map((line, index) => (
          <tr key={index} class={`line-${line.kind}`}>
            <LineCells line={line} sign={SIGNS[line.kind]} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function UnifiedFile({ text }: { readonly text: string }) {
  const kindOf = (line: string): DiffLine['kind'] =>
    /^\+(?!\+\+ )/.test(line) ? 'added' : /^-(?!-- )/.test(line) ? 'removed' : 'same';
  return (
    <table class="diff-lines diff">
      <tbody>
        {text.split('\n').map((line, index) => (
          <tr key={index} class={`line-${kindOf(line)}`}>
            <td>
              <LineText text={line} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Pair {
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

function SideBySide({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <table class="diff-lines side">
      <colgroup>
        <col class="sign-column" />
        <col />
        <col class="sign-column" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th colSpan={2}>Before</th>
          <th colSpan={2}>After</th>
        </tr>
      </thead>
      <tbody>
        {pairs(lines).map(({ left, right }, index) => (
          <tr key={index}>
            <SideCells line={left} sign="−" />
            <SideCells line={right} sign="+" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Puts each run of removed lines beside the run of added lines that replaces it. */
function pairs(lines: readonly DiffLine[]): readonly Pair[] {
  const found: Pair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      found.push({ left: removed[index], right: added[index] });
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') removed.push(line);
    else if (line.kind === 'added') added.push(line);
    else {
      flush();
      found.push({ left: line, right: line });
    }
  }
  flush();
  return found;
}

function SideCells({ line, sign }: { readonly line: DiffLine | undefined; readonly sign: string }) {
  if (!line) {
    return (
      <>
        <td class="sign" />
        <td class="line-none" />
      </>
    );
  }
  return (
    <>
      <td class={`sign line-${line.kind}`}>{line.kind === 'same' ? '' : sign}</td>
      <td class={`line-${line.kind}`}>
        <LineText text={line.text} />
      </td>
    </>
  );
}

function LineCells({ line, sign }: { readonly line: DiffLine; readonly sign: string }) {
  return (
    <>
      <td class="sign">{sign}</td>
      <td>
        <LineText text={line.text} />
      </td>
    </>
  );
}

const MOST = 4_000;

function LineText({ text }: { readonly text: string }) {
  const { text: own, cut } = shown(text, MOST);
  return <bdi>{cut > 0 ? `${own}… (${cut} more characters)` : own}</bdi>;
}
