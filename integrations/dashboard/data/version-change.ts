import type { Json } from 'rsi-loop';
import type { Variant } from 'rsi-loop/bench';
import type { TextChange } from '../bench-views.js';

/** Returns texts, settings and files that differ between two versions. */
export function changesOf(before: Variant, after: Variant): readonly TextChange[] {
  return [
    ...differences('text', before.prompts, after.prompts),
    ...differences('setting', before.policy, after.policy),
    ...differences('file', before.code, after.code),
  ];
}

type Named = Readonly<Record<string, Json | undefined>>;

function differences(what: string, before: Named = {}, after: Named = {}): readonly TextChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [before, after].map((named) => (Object.hasOwn(named, name) ? (named[name] ?? null) : null));
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    return [{ name: `${what} ${name}`, before: old ?? null, after: now ?? null }];
  });
}
