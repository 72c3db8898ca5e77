import { object } from './check-config.js';
import type { RsiConfig } from './define.js';
import { improveCheck } from './sections/improve.js';
import { loopCheck } from './sections/loop.js';
import { modelsCheck } from './sections/models-section.js';
import { notifyCheck } from './sections/notify.js';
import { servicesCheck } from './sections/services-section.js';
import { storeCheck } from './sections/store-section.js';

/** Sections of a configuration. A section is one file: its type and its check. */
export const SECTIONS = object<RsiConfig>({
  store: storeCheck,
  loop: loopCheck,
  notify: notifyCheck,
  services: servicesCheck,
  models: modelsCheck,
  improve: improveCheck,
});
