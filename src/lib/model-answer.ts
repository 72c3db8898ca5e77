import { LoopError } from '../contract/errors.js';
import type { Json } from '../contract/json.js';
import type { ModelRequest } from '../contract/model.js';
import { checkJson, readJson } from './json-schema.js';

/** How an answer ended, as far as a server told. */
export interface AnswerText {
  readonly text: string;
  readonly ended: 'stop' | 'length';
}

/**
 * Checks what a model said against what it was asked for: that there is an answer, and with a schema that it is JSON of
 * it. Every implementation of `Model` ends with it, whatever its server promises. Gives what `ModelAnswer` takes.
 * @throws LoopError `model-answer` saying what is wrong, without repeating what the model said.
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
  if (json === undefined) throw say(`the answer is no JSON (${text.length} characters)`);
  const problem = checkJson(json, schema);
  if (problem !== undefined) throw say(problem);
  return { text, ended, json };
}

/**
 * @throws LoopError `invalid-input` for a request that no model can answer.
 */
export function checkRequest({ messages, maxTokens, temperature }: ModelRequest): void {
  const say = (problem: string) => new LoopError('invalid-input', problem);
  if (messages.length === 0) throw say('a request to a model has no messages: give at least one');
  if (maxTokens !== undefined && !(maxTokens >= 1)) throw say(`maxTokens is ${maxTokens}: give at least 1`);
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) {
    throw say(`temperature is ${temperature}: give 0 to 2`);
  }
}

function upTo(maxTokens: number | undefined): string {
  return maxTokens === undefined ? '' : ` at ${maxTokens} tokens`;
}
