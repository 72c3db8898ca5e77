import { copyText } from '../lib/copy-text.js';
import { usePage } from '../lib/page-context.js';

/** Command with a button that copies it. */
export function Copyable({ command }: { readonly command: string }) {
  const { say } = usePage();
  const copy = async () => say((await copyText(command)) ? 'Copied.' : 'The browser does not allow copying here.');
  return (
    <span class="copyable">
      <code>{command}</code>
      <button type="button" onClick={copy} aria-label={`Copy the command ${command}`}>
        Copy
      </button>
    </span>
  );
}
