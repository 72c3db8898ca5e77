export function matches(pattern: string, path: string): boolean {
  return segmentsMatch(pattern.split('/'), path === '' && pattern !== '' ? [''] : path.split('/'));
}

function segmentsMatch(patterns: readonly string[], segments: readonly string[]): boolean {
  const [first, ...others] = patterns;
  if (first === undefined) return segments.length === 0;
  if (first === '**')
    return segments.some((_, index) => segmentsMatch(others, segments.slice(index))) || segmentsMatch(others, []);
  return segments.length > 0 && textMatches(first, String(segments[0])) && segmentsMatch(others, segments.slice(1));
}

function textMatches(pattern: string, text: string): boolean {
  let reached = new Set([0]);
  for (const letter of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (letter === '*') for (let end = at; end <= text.length; end++) next.add(end);
      else if (at < text.length && (letter === '?' || letter === text[at])) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(text.length);
}
