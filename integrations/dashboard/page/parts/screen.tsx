import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { PeriodChoice } from './period-choice.js';

interface ScreenProps {
  /** The one question that the screen answers. */
  readonly question: ComponentChildren;
  /** Title of the browser tab. */
  readonly title: string;
  /** The answer, one sentence. */
  readonly answer: ComponentChildren;
  /** Name of the time that it covers by default, if the reader can choose another one. */
  readonly period?: string;
  readonly children?: ComponentChildren;
}

/** Frame of every screen: a question, its answer, and the evidence below. */
export function Screen({ question, title, answer, period, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · rsi-loop`;
  }, [title]);
  return (
    <article class="screen">
      <header class="answer">
        <h1 tabIndex={-1}>{question}</h1>
        <p class="sentence">{answer}</p>
      </header>
      {period === undefined ? null : <PeriodChoice byDefault={period} />}
      {children}
    </article>
  );
}
