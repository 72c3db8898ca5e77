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
  /** Whether the reader can choose the time that it covers. */
  readonly hasPeriod?: boolean;
  readonly children?: ComponentChildren;
}

/** Frame of every screen: a question, its answer, and the evidence below. */
export function Screen({ question, title, answer, hasPeriod = false, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · rsi-loop`;
  }, [title]);
  return (
    <article class="screen">
      <header class="answer">
        <h1 tabIndex={-1}>{question}</h1>
        <p class="sentence">{answer}</p>
      </header>
      {hasPeriod ? <PeriodChoice /> : null}
      {children}
    </article>
  );
}
