import { LoopError, type OpenTask } from 'rsi-loop';
import { textVersions } from 'rsi-loop/kit';
import { textsIn, tunableText } from 'rsi-loop/prompts';
import { Problem } from '../../http/http-problem.js';
import { DECLARED, PROMPT } from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

/** Texts that programs may declare to one server. */
const MAX_TEXTS = 200;

interface DeclaredBody {
  readonly name: string;
  readonly text: string;
  readonly replaces?: string;
}

/** Versions of the texts that a program holds, by name. */
export type HeldPrompts = Readonly<Record<string, string>>;

/** Text for a task. `text` is absent if the program holds this version. */
export interface GivenPrompt {
  readonly version: string;
  readonly text?: string;
}

/** Route `POST /prompts`: a program in any language declares a named text, and names its version when it begins tasks. */
export function promptRoutes({ loop, texts }: Service): readonly Route[] {
  textsIn(loop); // this server may decide about texts that other programs declare
  return [
    {
      method: 'POST',
      url: '/prompts',
      summary: 'Declare a named text, such as a system prompt; returns its version',
      body: { [JSON_TYPE]: PROMPT },
      answers: { status: 200, description: 'The text is known.', content: { [JSON_TYPE]: DECLARED } },
      handler: ({ body }) => {
        const { name, text, replaces } = body as DeclaredBody; // as the schema says
        const known = texts.get(name);
        if (known === undefined && texts.size >= MAX_TEXTS)
          throw new Problem(409, `this server holds ${MAX_TEXTS} texts, the most it takes: use their names`, {
            field: 'name',
          });
        try {
          tunableText(loop, name, { text, ...(replaces !== undefined && { replaces }) });
        } catch (error) {
          throw LoopError.is(error) ? new Problem(409, error.message, { field: 'text' }) : error;
        }
        const version = textVersions.versionOf(text);
        texts.set(name, version);
        return { name, version };
      },
    },
  ];
}

/**
 * Checks that a program holds the texts that this server knows, before its task begins.
 * @throws Problem 409 naming the text, and the request that mends it.
 */
export function checkHeld(texts: ReadonlyMap<string, string>, held: HeldPrompts = {}): void {
  for (const [name, version] of Object.entries(held)) {
    const known = texts.get(name);
    if (known === version) continue;
    const is = known === undefined ? 'is not known here' : `has version ${known} here`;
    const replaces = known === undefined ? '' : `, "replaces": "${known}"`;
    const say = `send POST /prompts { "name", "text"${replaces} } first`;
    throw new Problem(409, `the text ${JSON.stringify(name)} ${is}, not version ${version}: ${say}`, {
      field: `prompts.${name}`,
    });
  }
}

/** Returns the texts for a task, by the names that its program holds. Reading one notes that the task uses it. */
export function promptsFor({ prompts }: Pick<OpenTask, 'prompts'>, held: HeldPrompts): Record<string, GivenPrompt> {
  const given = Object.entries(held).flatMap(([name, own]): [string, GivenPrompt][] => {
    const text = prompts[name];
    if (text === undefined) return [];
    const version = textVersions.versionOf(text);
    return [[name, version === own ? { version } : { version, text }]];
  });
  return Object.fromEntries(given);
}
