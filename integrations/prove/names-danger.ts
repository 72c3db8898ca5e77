import { mustBe, showValue } from 'rsi-loop/kit';

const SAFETY = new RegExp(
  [
    String.raw`\b(?:never|must\s*n[o']t|forbidden|prohibited|under no circumstances|without (?:asking|approval|permission|confirm\w*))\b`,
    String.raw`\b(?:secrets?|passwords?|credentials?|private keys?|api[ -]?keys?|access tokens?|personal data|pii)\b`,
    String.raw`\b(?:destructive|irreversibl\w+|dangerous|unsafe|security|safety|production|backups?)\b`,
    String.raw`\brm -rf\b|--force\b|\bforce[- ]push\w*|\breset --hard\b|\bdrop (?:table|database)\b|\bask (?:me |us |a person )?(?:first|before)\b`,
    String.raw`\b(?:niemals|jamais|nunca|verboten|geheim\w*|passwort\w*)\b|никогда|絶対|禁止|절대|从不|不得`,
  ].join('|'),
  'i',
);

/** Returns whether a text forbids something, or names a secret, a danger or production. Such a text stays in every session. */
export function namesDanger(text: string): boolean {
  mustBe(typeof text === 'string', 'text', showValue(text), 'a text');
  return SAFETY.test(text);
}
