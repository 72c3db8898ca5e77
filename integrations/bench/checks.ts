import { LoopError, type Model } from 'rsi-loop';
import { canonical, messageOf, mustBe, schemas, showValue } from 'rsi-loop/kit';
import { codeTests } from './code-tests.js';
import { jsonTest } from './json-check.js';
import { judge } from './model-judge.js';
import type { CheckSpec, Score } from './problem.js';

/** Scores 1 if the answer equals `expected`. Texts are compared without surrounding white space. */
export function exact(): Score {
  return (answer, { id, expected }) => {
    if (expected === undefined) throw new LoopError('invalid-input', `problem ${id} has no expected answer: give one`);
    return canonical(answer) === canonical(expected) ? 1 : 0;
  };
}

/** Scores the share of the texts that the answer contains. Default: `expected`, one text or a list of texts. */
export function contains(...texts: readonly string[]): Score {
  return containsTexts(texts, (text) => text);
}

function containsTexts(texts: readonly string[], form: (text: string) => string): Score {
  return (answer, { id, expected }) => {
    const wanted = texts.length > 0 ? texts : [expected].flat().filter((text) => typeof text === 'string');
    if (wanted.length === 0) throw new LoopError('invalid-input', `problem ${id} expects no text: give texts`);
    const said = form(textOrJson(answer));
    return wanted.filter((text) => said.includes(form(text))).length / wanted.length;
  };
}

/** Scores 1 if the answer matches the expression. */
export function regex(expression: RegExp): Score {
  const isExpression = typeof expression?.source === 'string' && typeof expression.flags === 'string';
  mustBe(isExpression, 'expression', showValue(expression), 'a regular expression');
  // A copy without the flags that keep a position between calls.
  const stateless = new RegExp(expression.source, expression.flags.replace(/[gy]/g, ''));
  return (answer) => (stateless.test(textOrJson(answer)) ? 1 : 0);
}

/**
 * Scores 1 if the answer is JSON that matches the JSON Schema, also inside a Markdown fence.
 * @throws LoopError `invalid-input` naming a keyword of the schema that would not be checked.
 */
export function jsonSchema(schema: object): Score {
  const test = jsonTest(schema);
  return (answer) => {
    const value = typeof answer === 'string' ? schemas.readJson(answer) : answer;
    return value !== undefined && test(value) ? 1 : 0;
  };
}

const KINDS = 'succeeds, exact, contains, regex, json-schema, judge, code-tests, all, any and not';

/**
 * Returns the score function of a check that a problem file names.
 * @param model Judge of the suite, for checks of the kind `judge`.
 * @throws LoopError `invalid-input` for an unknown kind, or a check that cannot score.
 */
export function scoreOf(check: CheckSpec | Score, model?: Model): Score {
  if (typeof check === 'function') return check;
  switch (check?.kind) {
    case 'succeeds':
      return () => 1;
    case 'exact':
      return exact();
    case 'contains':
      textsMustBe(check.texts);
      return containsTexts(check.texts, check.ignoreCase === true ? (text) => text.toLowerCase() : (text) => text);
    case 'regex':
      return regex(expressionOf(check));
    case 'json-schema':
      return jsonSchema(check.schema);
    case 'judge':
      return judgeOf(check, model);
    case 'all':
      return joined(check, model, (scores) => Math.min(...scores));
    case 'any':
      return joined(check, model, (scores) => Math.max(...scores));
    case 'not': {
      const score = scoreOf(check.check, model);
      return async (answer, problem) => (pointsOf(await score(answer, problem)) < 1 ? 1 : 0);
    }
    case 'code-tests':
      return codeTests(check);
    default: {
      const kind = (check satisfies never as { readonly kind?: unknown } | undefined)?.kind;
      throw new LoopError('invalid-input', `the check ${String(kind)} is unknown: a problem may name ${KINDS}`);
    }
  }
}

function judgeOf({ instructions, repeats }: Extract<CheckSpec, { kind: 'judge' }>, model: Model | undefined): Score {
  if (typeof instructions !== 'string' || instructions === '')
    throw new LoopError('invalid-input', 'the check judge has no instructions: describe a good answer');
  if (model) return judge({ model, instructions, ...(repeats !== undefined && { repeats }) });
  throw new LoopError('invalid-input', 'the check judge needs a model: give the suite a "judge"');
}

function joined(
  { kind, checks }: Extract<CheckSpec, { kind: 'all' | 'any' }>,
  model: Model | undefined,
  join: (scores: readonly number[]) => number,
): Score {
  if (!Array.isArray(checks) || checks.length === 0)
    throw new LoopError('invalid-input', `the check ${kind} has no checks: give a list of them`);
  const scores = checks.map((check) => scoreOf(check, model));
  return async (answer, problem) => {
    const found = [];
    // One after the other: a check that throws ends the score.
    for (const score of scores) found.push(await score(answer, problem));
    const noise = Math.max(0, ...found.map((one) => (typeof one === 'number' ? 0 : one.noise)));
    const score = join(found.map(pointsOf));
    return noise > 0 ? { score, noise } : score;
  };
}

function pointsOf(scored: Awaited<ReturnType<Score>>): number {
  return typeof scored === 'number' ? scored : scored.score;
}

function textsMustBe(texts: readonly string[]): void {
  if (Array.isArray(texts) && texts.length > 0 && texts.every((text) => typeof text === 'string' && text !== ''))
    return;
  throw new LoopError('invalid-input', 'the check contains has no texts: give a list of texts');
}

function expressionOf({ pattern, flags }: Extract<CheckSpec, { kind: 'regex' }>): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw new LoopError('invalid-input', `the check has an invalid expression: ${messageOf(cause)}`, { cause });
  }
}

function textOrJson(answer: unknown): string {
  return typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '');
}
