import { isObject, mustBe, showValue } from 'rsi-loop/kit';
import { isInFolder } from './path-place.js';

/** Risk of an action, lowest first. */
export const ACTION_TIERS = ['read', 'change', 'write-outside', 'pay', 'destroy'] as const;
/** How much harm an action can do, from reading to deleting. */
export type ActionTier = (typeof ACTION_TIERS)[number];

/** Call that a tool is about to make. */
export interface Action {
  readonly tool: string;
  readonly input?: unknown;
  /** Hints of a tool of the Model Context Protocol. */
  readonly annotations?: unknown;
}

/** Risk of an action, as far as it is known. */
export interface ActionRisk {
  /** The highest of the tiers found; absent if nothing is known. */
  readonly tier?: ActionTier;
  /** All tiers found, each with the reason. */
  readonly found: readonly { readonly tier: ActionTier; readonly why: string }[];
}

/** Knowledge of a host about the actions of its agent. */
export interface TierRules {
  /** Tiers of tools by name, as you know them. */
  readonly tiers?: Readonly<Record<string, ActionTier>>;
  /** Folder in which the agent works. Without it, every path counts as outside. */
  readonly folder?: string;
}

/** Names of arguments that hold an amount of money. */
const AMOUNT = /^(?:amount|payment|charge|payout|refund|transfer)(?:usd|eur|cents|value)?$/i;
const PATH =
  /^(?:path|file|folder|dir|directory|cwd|filename|filepath|source|destination|dest|target|output|uri|root)s?$/i;
const COMMAND = /^(?:command|cmd|script|sql|statement|code|shell)$/i;
/** Words of commands that destroy. A command can destroy without them, so commands are never known to be harmless. */
const DESTROYS =
  /\b(?:rm|rmdir|unlink|shred|mkfs|dd|truncate|del|erase|format|drop|delete|kill|killall|shutdown|reboot|revoke)\b|--(?:force|hard|delete)\b/i;
const MAX_VALUES = 2_000;
const MAX_DEPTH = 12;
const MAX_COMMAND = 100_000;

/** Returns the tiers of an action: as declared, by the hints of the tool, and by its arguments. The highest one counts. */
export function riskOf({ tool, input, annotations }: Action, { tiers = {}, folder }: TierRules): ActionRisk {
  mustBe(typeof tool === 'string', 'tool', showValue(tool), 'the name of a tool');
  const declared = Object.hasOwn(tiers, tool) ? tiers[tool] : undefined;
  const found = [
    ...(declared === undefined ? [] : [{ tier: declared, why: 'declared' }]),
    ...fromHints(annotations),
    ...fromArguments(input, folder),
  ];
  const tier = ACTION_TIERS.findLast((each) => found.some((one) => one.tier === each));
  return tier === undefined ? { found } : { tier, found };
}

/** A tool that does not only read may destroy, unless it says that it does not. */
function fromHints(annotations: unknown): ActionRisk['found'] {
  if (!isObject(annotations)) return [];
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
  if (destructiveHint === true) return [{ tier: 'destroy', why: 'its destructiveHint' }];
  if (readOnlyHint === true) return [{ tier: 'read', why: 'its readOnlyHint' }];
  if (readOnlyHint !== false) return [];
  if (destructiveHint !== false)
    return [{ tier: 'destroy', why: 'it may destroy by default, as readOnlyHint is false' }];
  return [{ tier: openWorldHint === true ? 'write-outside' : 'change', why: 'its hints' }];
}

function fromArguments(input: unknown, folder: string | undefined): ActionRisk['found'] {
  const look = new ArgumentLook(folder);
  look.at(input, 'input', 0);
  return [...look.found.values()];
}

/** Looks at every value in the arguments of an action. */
class ArgumentLook {
  readonly found = new Map<ActionTier, { readonly tier: ActionTier; readonly why: string }>();
  readonly #folder: string | undefined;
  #left = MAX_VALUES;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  at(value: unknown, name: string, depth: number): void {
    // Arguments that are too large to look at may be anything.
    if (--this.#left < 0 || depth > MAX_DEPTH) this.#add('destroy', 'its arguments are too large to check');
    else if (typeof value === 'string') this.#text(value, name);
    else if (typeof value === 'number' || typeof value === 'bigint') this.#amount(name, value > 0, String(value));
    else if (Array.isArray(value)) for (const item of value) this.at(item, name, depth + 1);
    else if (isObject(value)) for (const [key, member] of Object.entries(value)) this.at(member, key, depth + 1);
  }

  #add(tier: ActionTier, why: string): void {
    this.found.set(tier, { tier, why });
  }

  #amount(name: string, isPositive: boolean, shown: string): void {
    if (isPositive && AMOUNT.test(plainName(name))) this.#add('pay', `${name} is ${shown}`);
  }

  #text(text: string, name: string): void {
    const isCommand = COMMAND.test(plainName(name));
    if (isCommand && (DESTROYS.test(text) || text.length > MAX_COMMAND)) this.#add('destroy', `${name} may destroy`);
    this.#amount(name, /[1-9]/.test(text), text.slice(0, 40));
    const paths = isCommand ? text.slice(0, MAX_COMMAND).split(/[\s"'`=;&|<>()]+/) : [text];
    const isPath = PATH.test(plainName(name));
    const outside = paths.find((path) => (isPath || looksLikePath(path)) && !isInside(path, this.#folder));
    if (outside !== undefined) this.#add('write-outside', `${name} leaves the folder: ${outside.slice(0, 100)}`);
  }
}

/** `target_path` and `targetPath` are paths, as `path` is. */
function plainName(name: string): string {
  const parts = name.split(/[_\-.]|(?=[A-Z])/);
  return parts.at(-1) ?? name;
}

/** Absolute paths, homes, addresses of files, and everything that goes up a folder, in any spelling. */
function looksLikePath(text: string): boolean {
  if (text.length > 4_096 || text.includes('\n')) return /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text.slice(0, 100_000));
  const plain = text.normalize('NFKC');
  return /^(?:[\\/~]|[a-z]:[\\/]|file:)|(?:^|[\\/])\.\.(?:[\\/]|$)|%2e/i.test(plain);
}

function isInside(path: string, folder: string | undefined): boolean {
  if (/^https?:/i.test(path)) return true; // an address of the web is no path
  if (folder === undefined || path.normalize('NFKC') !== path || path.length > 4_096) return false;
  return isInFolder(folder, path);
}
