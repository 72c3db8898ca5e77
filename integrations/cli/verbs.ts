import type { Verb } from './verb.js';
import { advice } from './verbs/advice.js';
import { analyze } from './verbs/analyze.js';
import { apply } from './verbs/apply.js';
import { approve } from './verbs/approve.js';
import { cycle } from './verbs/cycle.js';
import { doctor } from './verbs/doctor.js';
import { erase } from './verbs/erase.js';
import { explain } from './verbs/explain.js';
import { exportVerb } from './verbs/export.js';
import { fixes } from './verbs/fixes.js';
import { freeze } from './verbs/freeze.js';
import { hook } from './verbs/hook.js';
import { importVerb } from './verbs/import.js';
import { install, uninstall } from './verbs/install.js';
import { models } from './verbs/models.js';
import { policy } from './verbs/policy.js';
import { reject } from './verbs/reject.js';
import { repeatable } from './verbs/repeatable.js';
import { report } from './verbs/report.js';
import { review } from './verbs/review.js';
import { rollback } from './verbs/rollback.js';
import { rootCausesVerb } from './verbs/root-causes.js';
import { rules } from './verbs/rules.js';
import { serveVerb } from './verbs/serve.js';
import { unfreeze } from './verbs/unfreeze.js';
import { watch } from './verbs/watch.js';

/** Verbs of `rsi` in the order of its help, grouped by purpose. */
export const GROUPS: readonly { readonly title: string; readonly verbs: readonly Verb[] }[] = [
  { title: 'Find what fails:', verbs: [analyze, importVerb, report, rootCausesVerb] },
  { title: 'Attach to agents:', verbs: [install, uninstall, hook, serveVerb, watch] },
  { title: 'Review:', verbs: [cycle, review, fixes, explain] },
  { title: 'Decide:', verbs: [approve, apply, reject, repeatable, rollback, freeze, unfreeze] },
  { title: 'See what is in force:', verbs: [policy, rules, advice] },
  { title: 'Look after it:', verbs: [exportVerb, erase, models, doctor] },
];
