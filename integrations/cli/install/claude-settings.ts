import { LoopError } from 'rsi-loop';
import {
  appendTo,
  applyEdits,
  type JsonNode,
  layoutOf,
  memberOf,
  parseJsonText,
  removeFrom,
  type TextEdit,
  written,
} from './json-text.js';

/** Hooks of Claude Code to install; the tool hooks match every tool. */
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'StopFailure',
  'SubagentStop',
  'PreCompact',
  'SessionEnd',
] as const;
/** Seconds after which an agent stops waiting for a hook. */
const TIMEOUT_S = 5;
/** Pattern for the end of our hook commands, including edited ones. Uninstalling removes every match. */
const OURS = /(?:\brsi(?:\.mjs)?|cli\.js)"? hook claude(?:\s|$)/;

export interface SettingsChange {
  /** New text of the file. */
  readonly text: string;
  /** Edits of the original text, in order of position. */
  readonly edits: readonly TextEdit[];
  /** Names of the events concerned. */
  readonly events: readonly string[];
}

/**
 * Adds our hooks to the text of a settings file and leaves every other byte as it is. Skips events that already call
 * exactly this command.
 * @throws LoopError `invalid-input` if the text is invalid JSON, or `hooks` is not in the form that Claude Code reads.
 */
export function addHooks(text: string, command: string): SettingsChange {
  const root = rootOf(text);
  const layout = layoutOf(text);
  const hooks = memberOf(root, 'hooks')?.value;
  const missing = EVENTS.filter((event) => !commandsOf(text, listOf(hooks, event)).some((each) => each === command));
  if (missing.length === 0) return { text, edits: [], events: [] };
  const group = (event: string) => ({
    ...(event.startsWith('PostToolUse') && { matcher: '*' }),
    hooks: [{ type: 'command', command, timeout: TIMEOUT_S }],
  });
  const edits: TextEdit[] = [];
  if (hooks === undefined) {
    const all = Object.fromEntries(missing.map((event) => [event, [group(event)]]));
    edits.push(appendTo(root, [`"hooks": ${written(all, 1, layout)}`], 0, layout));
  } else {
    const added: string[] = [];
    for (const event of missing) {
      const list = listOf(hooks, event);
      if (list) edits.push(appendTo(list, [written(group(event), 3, layout)], 2, layout));
      else added.push(`"${event}": ${written([group(event)], 2, layout)}`);
    }
    if (added.length > 0) edits.push(appendTo(hooks, added, 1, layout));
  }
  edits.sort((one, other) => one.start - other.start);
  return { text: checked(applyEdits(text, edits)), edits, events: missing };
}

/** Removes our hooks, and the events and the section that are then empty. */
export function removeHooks(text: string): SettingsChange {
  const root = rootOf(text);
  const section = memberOf(root, 'hooks');
  const hooks = section?.value;
  if (root.kind !== 'object' || hooks?.kind !== 'object') return { text, edits: [], events: [] };
  const edits: TextEdit[] = [];
  const events: string[] = [];
  const emptied = new Set<number>();
  for (const [index, { key, value }] of hooks.members.entries()) {
    if (value.kind !== 'array') continue;
    const isOurs = value.items.map((group) => isOnlyOurs(text, group));
    if (!isOurs.includes(true)) continue;
    events.push(key);
    if (isOurs.every(Boolean)) emptied.add(index);
    else edits.push(...removeFrom(value.items, (item) => isOurs[item] === true));
  }
  if (events.length === 0) return { text, edits: [], events };
  const placed = (members: typeof hooks.members) => members.map(({ start, value }) => ({ start, end: value.end }));
  if (emptied.size < hooks.members.length) {
    edits.push(...removeFrom(placed(hooks.members), (index) => emptied.has(index)));
  } else if (root.members.length > 1) {
    edits.push(...removeFrom(placed(root.members), (index) => root.members[index] === section));
  } else edits.push({ start: root.start, end: root.end, text: '{}' });
  return { text: checked(applyEdits(text, edits)), edits, events };
}

function rootOf(text: string): JsonNode {
  const root = parseJsonText(text);
  if (root.kind !== 'object')
    throw new LoopError('invalid-input', 'it holds no object: Claude Code reads settings from an object');
  const hooks = memberOf(root, 'hooks')?.value;
  if (hooks !== undefined && hooks.kind !== 'object')
    throw new LoopError('invalid-input', '"hooks" is no object: correct it first');
  return root;
}

function listOf(hooks: JsonNode | undefined, event: string): JsonNode | undefined {
  const list = memberOf(hooks, event)?.value;
  if (list === undefined || list.kind === 'array') return list;
  throw new LoopError('invalid-input', `"hooks"."${event}" is no list: correct it first`);
}

function commandsOf(text: string, list: JsonNode | undefined): readonly string[] {
  return list?.kind === 'array' ? list.items.flatMap((group) => groupCommands(text, group)) : [];
}

/** Returns the commands of one group; `''` for an entry that is not a hook. */
function groupCommands(text: string, group: JsonNode): readonly string[] {
  const inner = memberOf(group, 'hooks')?.value;
  if (inner?.kind !== 'array') return [];
  return inner.items.map((item) => {
    const command = memberOf(item, 'command')?.value;
    return command?.kind === 'value' && text[command.start] === '"'
      ? (JSON.parse(text.slice(command.start, command.end)) as string) // a quoted text
      : '';
  });
}

function isOnlyOurs(text: string, group: JsonNode): boolean {
  const commands = groupCommands(text, group);
  return commands.length > 0 && commands.every((command) => OURS.test(command));
}

/** Parses the new text to make sure it is valid for any layout, and returns it. */
function checked(text: string): string {
  parseJsonText(text);
  return text;
}
