/** Decides on the change that waits in a repository, as a person on a command line does. */
import { type CodeChange, codeProject } from '../../../../integrations/improve/index.js';
import { optionsFor } from './repository.js';

const [, , folder = '', verb = 'approve'] = process.argv;
const project = await codeProject({ ...optionsFor({ folder }), test: ['true'] });
const [change] = await project.changes();
const decision = { by: 'Ada', reason: 'it reads well' };
let decided: CodeChange | undefined = change;
if (verb === 'approve' && change?.status === 'waiting') decided = await project.approve(change.id, decision);
if (verb === 'rollback' && change?.status === 'merged') decided = await project.rollback(change.id, decision);
console.log(decided?.status);
await project.close();
