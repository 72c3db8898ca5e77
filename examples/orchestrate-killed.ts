import { run } from './orchestrate-resume.js';

await run();
