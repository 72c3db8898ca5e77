import type { BeginOptions } from 'rsi-loop';

/** Request of a program that begins a task. */
export interface BeginRequest extends Omit<BeginOptions, 'id'> {
  readonly task: string;
  /** Names of the texts that the task uses, or the versions that the program holds by name. */
  readonly prompts?: readonly string[] | Readonly<Record<string, string>>;
}

/** Texts that programs have declared. */
interface Declared {
  readonly names: readonly string[];
  versionOf(name: string): string | undefined;
  problemOf(name: string): string | undefined;
}

const TEXTS = ['task', 'session', 'model', 'tool', 'agent', 'parent', 'source', 'key'];
const OTHERS = ['models', 'features', 'tags', 'deadlineMs', 'idempotent', 'prompts'];

/** Reads a request. @throws SyntaxError for text that is not JSON, Error naming a wrong field. */
export function readRequest(text: string): BeginRequest {
  const request: unknown = JSON.parse(text);
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw new Error('is not an object: give { "task": ..., "session": ..., "prompts": [...] }');
  for (const [name, value] of Object.entries(request)) {
    if (!TEXTS.includes(name) && !OTHERS.includes(name))
      throw new Error(`the field ${JSON.stringify(name)} is unknown: give ${[...TEXTS, ...OTHERS].join(', ')}`);
    if (TEXTS.includes(name) && typeof value !== 'string') throw new Error(`${name} is not a text: give a text`);
  }
  const { task, prompts } = request as Partial<BeginRequest>; // each field is tested here, or by the loop
  if (task === undefined || task.trim() === '') throw new Error('task is missing: name the task');
  if (prompts !== undefined && (typeof prompts !== 'object' || !Object.values(prompts).every(isText)))
    throw new Error('prompts is not a list of names: give ["support.system"], or the versions that you hold by name');
  return request as BeginRequest; // as tested
}

/**
 * Returns the names of the texts that a task uses.
 * @throws Error for a text that is not declared, and for another version than the declared one.
 */
export function heldNames(prompts: BeginRequest['prompts'] = [], declared: Declared): readonly string[] {
  const held = Array.isArray(prompts) ? prompts.map((name): [string, undefined] => [name, undefined]) : undefined;
  return (held ?? Object.entries(prompts as Readonly<Record<string, string>>)).map(([name, version]) => {
    const known = declared.versionOf(name);
    const problem = declared.problemOf(name);
    if (problem !== undefined) throw new Error(problem);
    if (known === undefined) {
      const names = declared.names.length > 0 ? `, or use one of ${declared.names.join(', ')}` : '';
      throw new Error(`the text ${JSON.stringify(name)} is not known: write it as prompts/${name}.md${names}`);
    }
    if (version !== undefined && version !== known)
      throw new Error(
        `prompts/${name} has version ${known}, and you hold ${version}: two programs have different texts under one name. Give each its own name`,
      );
    return name;
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
