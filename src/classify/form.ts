import type { Form } from './rules.js';

/** Returns whether a text has this form. Cheaper tests come first, because this runs for every text. */
export function hasForm(text: string, { line, starts, place, text: within }: Form): boolean {
  if (within?.test(text) || (place && namesPlace(text) && place.test(text))) return true;
  if (!line) return false;
  for (let at = 0; ; ) {
    if (starts ? starts.includes(text.charAt(at)) : text[text.indexOf(' ', at) - 1] === ':') {
      line.lastIndex = at;
      if (line.test(text)) return true;
    }
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return false;
  }
}

/** Returns whether a number stands right after a word and a colon or parenthesis: `main.py:12`, `Program.cs(12`. */
function namesPlace(text: string): boolean {
  for (const mark of ':(') {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      const unit = text.charCodeAt(at + 1);
      if (unit > 47 && unit < 58 && text.charCodeAt(at - 1) > 47) return true;
    }
  }
  return false;
}
