import type { ComponentChild } from 'preact';
import type { FixStatus, Trend } from 'rsi-loop';

/** Meaning of a colour. Each comes with a shape and a word. */
export type Tone = 'trial' | 'confirmed' | 'failing' | 'waits' | 'quiet';

const SHAPES: Readonly<Record<Tone, string>> = {
  trial: '◆',
  confirmed: '✓',
  failing: '▲',
  waits: '●',
  quiet: '–',
};

/** Word with the shape and colour of its state. */
export function State({ tone, word }: { readonly tone: Tone; readonly word: ComponentChild }) {
  return (
    <span class={`state state-${tone}`}>
      <span class="shape" aria-hidden="true">
        {SHAPES[tone]}
      </span>
      {word}
    </span>
  );
}

const STATUS: Readonly<Record<FixStatus, readonly [Tone, string]>> = {
  proposed: ['waits', 'proposed'],
  approved: ['trial', 'approved'],
  trial: ['trial', 'on trial'],
  confirmed: ['confirmed', 'confirmed'],
  rejected: ['quiet', 'rejected'],
  'rolled-back': ['failing', 'rolled back'],
  'applied-unverified': ['waits', 'applied without proof'],
  reopened: ['failing', 'reopened'],
  superseded: ['quiet', 'superseded'],
  expired: ['quiet', 'expired'],
  void: ['quiet', 'void'],
};

export function StatusOf({ status }: { readonly status: FixStatus }) {
  const [tone, word] = STATUS[status];
  return <State tone={tone} word={word} />;
}

const TRENDS: Readonly<Record<Trend, readonly [Tone, string]>> = {
  new: ['failing', 'new'],
  rising: ['failing', 'rising'],
  steady: ['quiet', 'steady'],
  falling: ['confirmed', 'falling'],
  resolved: ['confirmed', 'resolved'],
  returned: ['failing', 'returned'],
};

interface TrendProps {
  readonly trend: Trend;
  /** Whether only the shape is shown, where a drawing beside it shows the course. */
  readonly isShort?: boolean;
}

export function TrendOf({ trend, isShort = false }: TrendProps) {
  const [tone, word] = TRENDS[trend];
  return isShort ? (
    <span title={word}>
      <State tone={tone} word={<span class="unseen">{word}</span>} />
    </span>
  ) : (
    <State tone={tone} word={word} />
  );
}
