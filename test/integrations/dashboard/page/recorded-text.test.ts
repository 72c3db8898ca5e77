import { describe, expect, it } from 'vitest';
import { oneLine, shown } from '../../../../integrations/dashboard/page/lib/recorded-text.js';
import { address, parseRoute } from '../../../../integrations/dashboard/page/lib/route.js';
import { HOSTILE_TEXTS } from './hostile-texts.js';

describe('recorded text on the page', () => {
  it('shows control characters instead of obeying them', () => {
    expect(shown('a\u0000b\u001b[31mc\u007fd\u009be', 100).text).toBe('a␀b␛[31mc␡d[U+009B]e');
  });

  it('shows the characters that reorder or hide text', () => {
    expect(shown('\u202egpj.exe\u202c', 100).text).toBe('[U+202E]gpj.exe[U+202C]');
    expect(shown('pay\u200bpal\u{e0041}', 100).text).toBe('pay[U+200B]pal[U+E0041]');
  });

  it('keeps names in other scripts, emoji and line breaks as they are', () => {
    for (const text of ['שלום עולם', 'مرحبا', '👩‍👩‍👧‍👦', 'two\nlines\tand a tab'])
      expect(shown(text, 100).text).toBe(text);
  });

  it('cuts long text and says by how much', () => {
    expect(shown('x'.repeat(1_000_000), 240)).toEqual({ text: 'x'.repeat(240), cut: 999_760 });
    expect(oneLine(`a\n  b${'c'.repeat(500)}`, 10)).toBe('a bccccc…');
  });

  it('can be part of an address, and is read back from it', () => {
    for (const text of HOSTILE_TEXTS) {
      const url = new URL(`http://localhost/rsi/${address(['sessions', text], { q: text })}`);
      const { segments, query } = parseRoute(url, '/rsi/');
      expect(url.origin).toBe('http://localhost');
      expect(segments[0]).toBe('sessions');
      expect(query.q).toBe(segments[1]);
    }
  });
});
