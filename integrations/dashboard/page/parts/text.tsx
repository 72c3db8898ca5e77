import { shown } from '../lib/recorded-text.js';

/** Recorded text in one line, isolated from its neighbours. */
export function Text({ value, limit = 240 }: { readonly value: string; readonly limit?: number }) {
  const { text, cut } = shown(value, limit);
  return (
    <bdi class="recorded" title={cut > 0 || text.length > 40 ? text : undefined}>
      {withVariables(text)}
      {cut > 0 ? '…' : ''}
    </bdi>
  );
}

/** Shows variable parts of a template, written `<*>`, as such. */
function withVariables(text: string) {
  const parts = text.split('<*>');
  if (parts.length === 1) return text;
  return parts.flatMap((part, index) =>
    index === 0
      ? [part]
      : [
          <span key={index} class="variable">
            {'<*>'}
          </span>,
          part,
        ],
  );
}
