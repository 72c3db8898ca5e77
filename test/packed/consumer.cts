/** The same from CommonJS, where TypeScript reads the `.d.cts` files. */
import { LoopError } from 'rsi-loop';

export const is: boolean = LoopError.is(null);
