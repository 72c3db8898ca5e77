/** Program of a worker thread. It runs one program at a time, and says when it can take the next. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { WorkerProgram } from './worker-program.js';

if (!isMainThread && parentPort !== null) new WorkerProgram(parentPort, workerData).start();
