// Solves a task of programming: reads it from the standard input, asks a model, and prints the code.
import { readFileSync } from 'node:fs';
import { ask } from '../model/ask.mjs';
import { readCode } from './read-code.mjs';

const task = readFileSync(0, 'utf8');
console.log(readCode(ask(task)));
