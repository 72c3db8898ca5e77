import { LoopError } from '../contract/errors.js';
import type { JsonSchema } from '../contract/json-schema.js';
import { checkJson, readJson } from '../lib/json-schema.js';
import { messageOf } from '../lib/text.js';
import { canonical } from './canonical.js';
import { codeTests } from './code-tests.js';
import type { CheckSpec, Score } from './problem.js';

/** Scores 1 if the answer equals `expected`. Texts are compared without surrounding white space. */
export function exact(): Score {
  return (answer, { expected }) => (canonical(answer) === canonical(expected) ? 1 : 0);
}

/** Scores the share of the texts that the answer contains. Default: `expected`, one text or a list of texts. */
export function contains(...texts: readonly string[]): Score {
  return (answer, { id, expected }) => {
    const wanted = texts.length > 0 ? texts : [expected].flat().filter((text) => typeof text === 'string');
    if (wanted.length === 0) throw new LoopError('invalid-input', `problem ${id} expects no text: give texts`);
    const said = textOf(answer);
    return wanted.filter((text) => said.includes(text)).length / wanted.length;
  };
}

/** Scores 1 if the answer matches the expression. */
export function regex(expression: RegExp): Score {
  // A copy without the flags that keep a position between calls.
  const stateless = new RegExp(expression.source, expression.flags.replace(/[gy]/g, ''));
  return (answer) => (stateless.test(textOf(answer)) ? 1 : 0);
}

/** Scores 1 if the answer is JSON that matches the schema, also inside a Markdown fence. */
export function jsonSchema(schema: JsonSchema): Score {
  return (answer) => (checkJson(typeof answer === 'string' ? readJson(answer) : answer, schema) === undefined ? 1 : 0);
}

/**
 * Returns the score function of a check that a problem file names.
 * @throws LoopError `invalid-input` for an unknown kind or an expression that is not valid.
 */
export function scoreOf(check: CheckSpec | Score): Score {
  if (typeof check === 'function') return check;
  switch (check.kind) {
    case 'succeeds':
      return () => 1;
    case 'exact':
      return exact();
    case 'contains':
      return contains(...check.texts);
    case 'regex':
      return regex(expressionOf(check));
    case 'json-schema':
      return jsonSchema(check.schema);
    case 'code-tests':
      return codeTests(check);
    default: {
      const { kind } = check satisfies never as { readonly kind: unknown };
      const known = 'succeeds, exact, contains, regex, json-schema and code-tests';
      throw new LoopError('invalid-input', `the check ${String(kind)} is unknown: a problem may name ${known}`);
    }
  }
}

function expressionOf({ pattern, flags }: Extract<CheckSpec, { kind: 'regex' }>): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw new LoopError('invalid-input', `the check has an invalid expression: ${messageOf(cause)}`, { cause });
  }
}

function textOf(answer: unknown): string {
  return typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '');
}
