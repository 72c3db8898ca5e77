/** Texts that attack a page or its layout. */
export const HOSTILE_TEXTS: readonly string[] = [
  '<script>window.executed = 1</script>',
  '<img src=x onerror="window.executed = 1">',
  '"><svg onload=window.executed=1>',
  "javascript:window.executed=1//'",
  '<iframe srcdoc="<script>parent.executed=1</script>"></iframe>',
  '{{constructor.constructor("window.executed=1")()}}',
  '</bdi></td></table><h1>taken over</h1>',
  '<style>body{display:none}</style>',
  '" style="position:fixed;inset:0" onmouseover="window.executed=1',
  '\u202egpj.exe\u202c left to right again',
  '\u2066\u2067\u2068 isolates that never end',
  '\u0000\u0007\u001b[31mred\u001b[0m\u007f\u009b2J',
  'שלום עולם אבטחה',
  'مرحبا بالعالم \u200f اسم',
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034fA\u030b\u0344\u0308L\u030c\u0350\u034fGO\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u030d',
  '\ud800 lone surrogate \udfff',
  'line\u2028separator\u2029paragraph\nfeed\r\nreturn\ttab',
  '=HYPERLINK("http://evil.example","click")',
  '👩‍👩‍👧‍👦 flag 🏴\u{e0067}\u{e0062}\u{e007f} \ufeff\u200b',
  'constructor',
  '__proto__',
  'x'.repeat(2_000),
  'wide '.repeat(400),
];

/** Returns a function that replaces each recorded text by a hostile one, in turn. */
export function hostileTexts(): (text: string) => string {
  let next = 0;
  return () => {
    next += 1;
    return HOSTILE_TEXTS[next % HOSTILE_TEXTS.length] ?? '';
  };
}
