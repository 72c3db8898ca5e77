/** Runs the tests in the folder of one module, without the stories that use the whole loop. Read by `scripts/mutate.ts`. */
import config from '../../vitest.config.js';

const { projects: _, ...test } = config.test ?? {};
export default { ...config, test: { ...test, include: [`test/${process.env.MUTATED_MODULE}/**/!(*.slow).test.ts`] } };
