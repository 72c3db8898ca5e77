/** Runs the tests in the folder of one module, without the stories that use the whole loop. Read by `scripts/mutate.ts`. */
import config from '../../vitest.config.js';

export default { ...config, test: { ...config.test, include: [`test/${process.env.MUTATED_MODULE}/**/*.test.ts`] } };
