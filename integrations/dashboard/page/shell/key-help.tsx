import { useEffect, useRef } from 'preact/hooks';
import { SCREENS } from './screens.js';

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'Search in the table'],
  ['j, k', 'Next and previous row'],
  ['n, p', 'Next and previous failure of a session'],
  ['Enter', 'Open the row'],
  ['t', 'Show charts as tables, and back'],
  ['a', 'Approve the shown fix, after a confirmation'],
  ['x', 'Reject the shown fix, after a confirmation'],
  ['Esc', 'Close what is open, or show all times again'],
  ['?', 'Show these keys'],
];

/** List of all keys. */
export function KeyHelp({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const goKeys = SCREENS.map(({ key, name }): readonly [string, string] => [`g ${key}`, `Go to ${name}`]);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="keys-title">
      <h2 id="keys-title">Which keys work here?</h2>
      <dl class="keys">
        {[...KEYS, ...goKeys].map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
