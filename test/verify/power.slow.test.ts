import { it } from 'vitest';
import { expectPower } from './power.js';

it.each([
  { world: '-50 % of 20 %, as a whole trial', confirmed: 96, tasks: 489, units: 295 },
  { world: 'rule -50 % of 20 %', confirmed: 94, tasks: 940, units: 46 },
])('a whole trial confirms a fix that halves failures about as soon as it always did: $world', expectPower);
