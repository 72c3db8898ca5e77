import { LoopError } from '../contract/errors.js';
import type { Json } from '../contract/json.js';
import type { ModelRequest } from '../contract/model.js';
import { checkJson, readJson } from './json-schema.js';
import { isWithin } from './must-be.js';
import { showValue } from './text.js';

/** Text of an answer and how it ended, if the server reported it. */
export interface AnswerText {
  readonly text: string;
  readonly ended: 'stop' | 'length';
}

/**
 * Validates a model's answer against the request: it is not empty, and with a schema it is matching JSON. Every
 * implementation of `Model` must call this, even if its server validates too. Returns fields for a `ModelAnswer`.
 * @throws LoopError `model-answer` with the problem, without quoting the answer.
 */
export function checkAnswer(
  by: string,
  { schema, maxTokens }: Pick<ModelRequest, 'schema' | 'maxTokens'>,
  { text, ended }: AnswerText,
): AnswerText & { readonly json?: Json } {
  const say = (problem: string) => new LoopError('model-answer', `${by}: ${problem}`);
  if (text.trim() === '') {
    throw say(ended === 'length' ? `no answer before its end${upTo(maxTokens)}` : 'the answer is empty');
  }
  if (!schema) return { text, ended };
  if (ended === 'length') throw say(`the answer was cut off${upTo(maxTokens)}: raise maxTokens or ask for less`);
  const json = readJson(text);
  if (json === undefined) throw say(`the answer is not valid JSON (${text.length} characters)`);
  const problem = checkJson(json, schema);
  if (problem !== undefined) throw say(problem);
  return { text, ended, json };
}

/** Checks a request. @throws LoopError `invalid-input` for one that no model can answer. */
export function checkRequest({ messages, maxTokens, temperature }: ModelRequest): void {
  const say = (problem: string) => new LoopError('invalid-input', problem);
  if (messages.length === 0) throw say('a request to a model has no messages: give at least one');
  if (maxTokens !== undefined && !isWithin(maxTokens, 1))
    throw say(`maxTokens is ${showValue(maxTokens)}: give at least 1`);
  if (temperature !== undefined && !isWithin(temperature, 0, 2)) {
    throw say(`temperature is ${showValue(temperature)}: give 0 to 2`);
  }
}

function upTo(maxTokens: number | undefined): string {
  return maxTokens === undefined ? '' : ` at ${maxTokens} tokens`;
}
