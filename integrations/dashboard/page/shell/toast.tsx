import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 6_000;

export interface Sentence {
  readonly text: string;
  /** Rises with each sentence, so that the same text shows again. */
  readonly number: number;
}

/** Shows a sentence for some seconds. Screen readers read it out. */
export function Toast({ sentence }: { readonly sentence: Sentence | undefined }) {
  const [seen, setSeen] = useState(0);
  useEffect(() => {
    if (!sentence) return;
    const timer = setTimeout(() => setSeen(sentence.number), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [sentence?.number]);
  const isShown = sentence !== undefined && sentence.number > seen;
  return (
    <div class="toast-place" role="status" aria-live="polite">
      {isShown ? (
        <div class="toast">
          <bdi>{sentence.text}</bdi>
        </div>
      ) : null}
    </div>
  );
}
