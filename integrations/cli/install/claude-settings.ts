import {
  applyEdits,
  type FormattingOptions,
  type JSONPath,
  modify,
  type ParseError,
  parse,
  printParseErrorCode,
} from 'jsonc-parser';
import { LoopError } from 'rsi-loop';
import { isObject } from '../config/check-config.js';

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
  /** Names of the events concerned. */
  readonly events: readonly string[];
}

/**
 * Adds our hooks to the text of a settings file; comments and all other settings stay. Skips events that already call
 * exactly this command.
 * @throws LoopError `invalid-input` if the text is invalid JSON, or `hooks` is not in the form that Claude Code reads.
 */
export function addHooks(text: string, command: string, wanted: readonly string[] = EVENTS): SettingsChange {
  const hooks = hooksOf(text, wanted);
  const missing = wanted.filter((event) => !(hooks[event] ?? []).flatMap(commandsOf).includes(command));
  const changed = missing.reduce((result, event) => {
    const group = {
      ...(event.startsWith('PostToolUse') && { matcher: '*' }),
      hooks: [{ type: 'command', command, timeout: TIMEOUT_S }],
    };
    const list = hooks[event];
    return list ? edited(result, ['hooks', event, list.length], group) : edited(result, ['hooks', event], [group]);
  }, text);
  return { text: changed, events: missing };
}

/** Removes our hooks, and the events and the section that are then empty. */
export function removeHooks(text: string): SettingsChange {
  const hooks = hooksOf(text);
  const events = Object.keys(hooks).filter((event) => hooks[event]?.some(isOnlyOurs));
  const changed = events.reduce((result, event) => {
    const groups = hooks[event] ?? [];
    if (groups.every(isOnlyOurs)) return edited(result, ['hooks', event], undefined);
    // From the end, so that the earlier positions stay.
    return groups.reduceRight<string>(
      (inner, group, index) => (isOnlyOurs(group) ? edited(inner, ['hooks', event, index], undefined) : inner),
      result,
    );
  }, text);
  const isEmpty = events.length > 0 && Object.keys(parse(changed.replace(/^\ufeff/, ' ')).hooks).length === 0;
  return { text: isEmpty ? edited(changed, ['hooks'], undefined) : changed, events };
}

/** Inserts, or removes if `value` is undefined, in the layout of the text. */
export function edited(text: string, path: JSONPath, value: unknown): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(mark.length);
  const unit = /\n([ \t]+)\S/.exec(body)?.[1] ?? '  ';
  const formattingOptions: FormattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.startsWith('\t') ? 1 : unit.length,
    eol: body.includes('\r\n') ? '\r\n' : '\n',
  };
  return (
    mark + applyEdits(body, modify(body, path, value, { formattingOptions, isArrayInsertion: value !== undefined }))
  );
}

/** Groups of hooks by event, as far as they have the form that Claude Code reads. */
function hooksOf(text: string, wanted: readonly string[] = EVENTS): Readonly<Record<string, readonly unknown[]>> {
  const { hooks = {} } = rootOf(text);
  if (!isObject(hooks)) throw new LoopError('invalid-input', '"hooks" is not an object: correct it first');
  for (const event of wanted) {
    if (hooks[event] !== undefined && !Array.isArray(hooks[event]))
      throw new LoopError('invalid-input', `"hooks"."${event}" is not a list: correct it first`);
  }
  return Object.fromEntries(
    Object.entries(hooks).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1])),
  );
}

/** Returns the object that a settings file holds. */
export function rootOf(text: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = [];
  const root: unknown = parseText(text.replace(/^\ufeff/, ' '), errors);
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    const name = printParseErrorCode(first.error);
    throw new LoopError('invalid-input', `line ${line} is not valid JSON: ${PROBLEMS[name] ?? name}`);
  }
  if (!isObject(root)) throw new LoopError('invalid-input', 'it holds no object: agents read settings from an object');
  return root;
}

/** Accepts comments and trailing commas, as some programs do. */
function parseText(text: string, errors: ParseError[]): unknown {
  try {
    return parse(text, errors, { allowTrailingComma: true });
  } catch (cause) {
    // The parser recurses once per level.
    throw new LoopError('invalid-input', 'it is nested too deeply', { cause });
  }
}

/** Returns the commands of one group; `''` for an entry that is not a hook. */
function commandsOf(group: unknown): readonly string[] {
  if (!isObject(group) || !Array.isArray(group.hooks)) return [];
  return group.hooks.map((hook) => (isObject(hook) && typeof hook.command === 'string' ? hook.command : ''));
}

function isOnlyOurs(group: unknown): boolean {
  const commands = commandsOf(group);
  return commands.length > 0 && commands.every((command) => OURS.test(command));
}

/** Error messages by parser code. Other errors are shown by the parser's own code. */
const PROBLEMS: Readonly<Record<string, string>> = {
  ValueExpected: 'a value is missing',
  PropertyNameExpected: 'a name in quotes is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'it has no end',
  CloseBracketExpected: 'it has no end',
  EndOfFileExpected: 'something follows its end',
  InvalidCharacter: 'a text is not written as JSON',
  InvalidEscapeCharacter: 'a text is not written as JSON',
  InvalidUnicode: 'a text is not written as JSON',
  UnexpectedEndOfString: 'a text has no end',
  UnexpectedEndOfComment: 'a comment has no end',
};
