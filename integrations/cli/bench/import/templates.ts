import { isRow, type Row } from '../../../sources/import/import-fields.js';

/** Part of a test that has no counterpart. The message is its reason for a person. */
export class Unmapped extends Error {}

const TEMPLATE = /\{\{([^{}]*)\}\}/g;
const NAME = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

/**
 * Fills the variables of a test into a text. A template is a name, or names with dots.
 * @throws Unmapped for other templates, and for texts that are in another file.
 */
export function rendered(text: string, vars: Row): string {
  if (text.startsWith('file://')) throw new Unmapped(`${text} is another file: write its content instead`);
  if (/\{[%#]/.test(text)) throw new Unmapped('statements in templates ({% %}) are not read');
  return text.replace(TEMPLATE, (template, inside: string) => {
    const name = inside.trim();
    const found = NAME.test(name) ? lookUp(vars, name.replace(/^vars\./, '').split('.')) : undefined;
    if (found === undefined) throw new Unmapped(`the template ${template} is not a variable of the test`);
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

function lookUp(vars: Row, path: readonly string[]): unknown {
  let found: unknown = vars;
  for (const name of path) found = isRow(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found ?? undefined;
}
