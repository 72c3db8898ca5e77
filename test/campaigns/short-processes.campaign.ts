/** `npm run campaign -- short-processes [--processes=1000]`: an agent with a process for each task. Exits 1 if a process of the end costs 1.5 times one of the beginning. */
import { runShortAgents } from '../scenarios/short-agents.js';

/** Processor time of a late process, relative to an early one. */
const MOST_COST = 1.5;

const processes = Number(process.argv.find((arg) => arg.startsWith('--processes='))?.slice(12) ?? 1_000);
const report = await runShortAgents(processes, 1);
console.log(JSON.stringify(report));
const [first, last] = report.cpuMs;
if (report.broken.length > 0 || report.fix !== 'confirmed' || last > MOST_COST * first) process.exitCode = 1;
