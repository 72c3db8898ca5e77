/** `rsi-loop/config`: the type of a configuration file, and a helper that checks it in the editor. */
import type { ImproveSection } from './sections/improve.js';
import type { LoopConfig } from './sections/loop.js';
import type { ModelsConfig } from './sections/models-section.js';
import type { NotifyConfig } from './sections/notify.js';
import type { ServicesConfig } from './sections/services-section.js';

export type { ImproveSection, LoopConfig, ModelsConfig, NotifyConfig, ServicesConfig };

/** Content of `rsi.config.ts`. Everything is optional. Relative paths start at the folder of the file. */
export interface RsiConfig {
  /** Folder of the loop. Default `./rsi_data`. */
  readonly store?: string;
  /** Options of the loops that `rsi` opens. */
  readonly loop?: LoopConfig;
  /** Alerts: where they go and on what. */
  readonly notify?: NotifyConfig;
  /** Processes that `rsi services` runs. */
  readonly services?: ServicesConfig;
  /** Models that the loop may ask. */
  readonly models?: ModelsConfig;
  /** Repository whose code `rsi improve` may change. */
  readonly improve?: ImproveSection;
}

/** Returns the configuration unchanged. Editors then complete its keys and mark wrong values. */
export function defineConfig(config: RsiConfig): RsiConfig {
  return config;
}
