/** Heuristics that recognise texts made by a generator of secrets. */

/**
 * Returns whether a text has mixed characters like a generated secret, unlike a word, a number or a name with dashes.
 */
export function looksRandom(text: string): boolean {
  if (text.length < 8) return false;
  if (/^[0-9.,:%+-]+$/.test(text)) return false;
  const digits = count(text, /[0-9]/g);
  if (digits === 0) return text.length >= 16 && caseChanges(text) >= 3;
  return digits >= 2 || caseChanges(text) >= 2 || text.length >= 16;
}

/**
 * Returns whether a text is clearly mixed. Stricter, for texts that only a short prefix marks: digits or capitals must
 * appear repeatedly among the letters, not at word ends.
 */
export function looksMixed(text: string): boolean {
  return count(text, /[A-Za-z][0-9]|[0-9][A-Za-z]/g) >= 3 || caseChanges(text) >= 4;
}

export function hasDigit(text: string): boolean {
  return /[0-9]/.test(text);
}

/** Returns whether a text is a Basic credential: `dXNlcjpwYXNz`, not `authentication`. */
export function looksLikeBasic(text: string): boolean {
  return text.endsWith('=') || hasDigit(text) || caseChanges(text) >= 2;
}

export function looksLikeAwsSecret(text: string): boolean {
  const upper = count(text, /[A-Z]/g);
  const lower = count(text, /[a-z]/g);
  const digits = count(text, /[0-9]/g);
  // A path has long lower-case words between its slashes.
  return upper >= 5 && lower >= 5 && digits >= 1 && !/[a-z]{9}/.test(text);
}

/** Returns whether a text passes the Luhn check and begins like a card number. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^(?:4|5[1-5]|2[2-7]|3[47]|3[0689]|6)/.test(digits) || /^(.)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function caseChanges(text: string): number {
  return count(text, /[a-z][A-Z]/g) + count(text, /[A-Z]{2}[a-z]/g);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
