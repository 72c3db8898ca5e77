import { it } from 'vitest';
import { expectPower } from './power.js';

it.each([
  { world: '-50 % of 20 %', confirmed: 100, tasks: 305, units: 305 },
  { world: '-50 % of 20 %, sessions', confirmed: 100, tasks: 954, units: 48 },
])('the bet confirms a fix that halves failures about as soon as it always did: $world', expectPower);
