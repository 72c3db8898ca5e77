import { LoopError } from 'rsi-loop';
import { isObject } from '../config/check-config.js';
import { edited, rootOf } from './claude-settings.js';

/** Entry of a settings file: a value at its path, or an item of the list there. */
type SettingsEntry =
  | { readonly path: readonly string[]; readonly value: object }
  | { readonly path: readonly string[]; readonly item: object };

/**
 * Adds entries to the text of a settings file in JSON. Comments and all other settings stay, and so does an entry that is
 * there already.
 * @throws LoopError `invalid-input` if the text is invalid JSON, or something else is in the place of an entry.
 */
export function addEntries(text: string, entries: readonly SettingsEntry[]): string {
  return entries.reduce((result, entry) => {
    const found = valueAt(rootOf(result), entry.path);
    const path = [...entry.path];
    if ('value' in entry) return found === undefined ? edited(result, path, entry.value) : result;
    if (found === undefined) return edited(result, path, [entry.item]);
    if (!Array.isArray(found))
      throw new LoopError('invalid-input', `"${path.join('"."')}" is not a list: correct it first`);
    const isThere = found.some((item) => JSON.stringify(item) === JSON.stringify(entry.item));
    return isThere ? result : edited(result, [...path, found.length], entry.item);
  }, text);
}

function valueAt(root: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  let value: unknown = root;
  for (const [index, name] of path.entries()) {
    if (!isObject(value))
      throw new LoopError('invalid-input', `"${path.slice(0, index).join('"."')}" is not an object: correct it first`);
    value = value[name];
    if (value === undefined) return undefined;
  }
  return value;
}
