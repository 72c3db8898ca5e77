import { LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import { namesDanger } from './names-danger.js';
import { tokensOf, withinLimits } from './study-limits.js';
import type { KeptBecause } from './text-line.js';

/** Member of a set, such as a tool or a skill. */
export interface SetMember {
  readonly name: string;
  /** Text that every session reads of it: name, description and parameters. */
  readonly text: string;
  /** Estimate: one token for four characters of the text. */
  readonly tokens: number;
  /** Absent if the member may be left out. */
  readonly kept?: KeptBecause;
}

/** Options of reading the members of a set. */
export interface ReadMembersOptions {
  /** Names of members that every session gets. Default: none. */
  readonly keep?: readonly string[];
  /** Also leaves out members whose text names a danger. Default false. */
  readonly withSafety?: boolean;
}

/** Members that may be left out in one study. */
const MAX_TRIED = 100;
const MAX_MEMBERS = 1_000;
/** Fields that hold the parameters of a tool: AI SDK and MCP, then OpenAI Agents. */
const SCHEMAS = ['inputSchema', 'parameters'] as const;

/**
 * Reads the members of a set: a map by name, a list of objects with a `name`, or a list of names.
 * @throws LoopError `invalid-input` for a member without a name, a name given twice, an unknown name in `keep`, or a
 * set of which nothing may be left out.
 */
export function readMembers(set: object, { keep = [], withSafety }: ReadMembersOptions): readonly SetMember[] {
  const named = namedMembers(set);
  const names = new Set(named.map(([name]) => name));
  const twice = named.find(([name], at) => named.findIndex(([other]) => other === name) !== at);
  if (twice) refuse(`the set has two members called ${showValue(twice[0])}: give each its own name`);
  const unknown = keep.find((name) => !names.has(name));
  if (unknown !== undefined)
    refuse(`keep names ${showValue(unknown)}, which is not in the set: use ${[...names].join(', ')}`);
  if (named.length > MAX_MEMBERS) refuse(`the set has ${named.length} members, at most ${MAX_MEMBERS} are read`);
  const members = named.map(([name, member]): SetMember => {
    const text = memberText(name, member);
    const kept = keep.includes(name) ? 'marked' : !withSafety && namesDanger(text) ? 'safety' : undefined;
    return { name, text, tokens: tokensOf(text), ...(kept && { kept }) };
  });
  return withinLimits(members, MAX_TRIED);
}

/** Returns the members with these names, in a set of the same form. */
export function onlyNamed(set: object, names: ReadonlySet<string>): object {
  const kept = namedMembers(set).filter(([name]) => names.has(name));
  return Array.isArray(set) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}

function namedMembers(set: object): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(set)) return Object.entries(set);
  return set.map((member: unknown, at) => {
    const name = typeof member === 'string' ? member : Object(member).name;
    if (typeof name === 'string' && name !== '') return [name, member] as const;
    return refuse(`member ${at + 1} of the set is ${showValue(member)}: give each a name`);
  });
}

function memberText(name: string, member: unknown): string {
  const { description, ...rest } = fieldsOf(member);
  const parameters = rest.inputSchema ?? rest.parameters;
  const about = typeof description === 'string' ? `: ${description}` : '';
  return `${name}${about}${parameters === undefined ? '' : ` ${parameters}`}`;
}

/** Reads description and parameters. Only parameters in JSON count: those of other schemas are unknown here. */
function fieldsOf(member: unknown): Readonly<Record<string, unknown>> {
  if ((typeof member !== 'object' && typeof member !== 'function') || member === null) return {};
  const schemas = SCHEMAS.map((key): [string, unknown] => {
    const schema: unknown = Reflect.get(member, key);
    const inner: unknown = Object(schema).jsonSchema ?? schema;
    return [key, Object(inner).properties === undefined ? undefined : JSON.stringify(inner)];
  });
  return { description: Reflect.get(member, 'description'), ...Object.fromEntries(schemas) };
}

function refuse(message: string): never {
  throw new LoopError('invalid-input', message);
}
