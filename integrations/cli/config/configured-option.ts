import { type Command, Option } from 'commander';
import { shortPath } from '../terminal/short-path.js';
import { isPathValue } from './check-config.js';
import type { Configuration } from './load.js';

/** Option that takes its default from a key of the configuration. */
export class ConfiguredOption extends Option {
  /** Key such as `loop.workspace`. */
  readonly key: string;

  constructor(flags: string, meaning: string, key: string) {
    super(flags, meaning);
    this.key = key;
  }
}

/** Sets the options that were not typed to their values in the configuration. */
export async function setDefaults(
  command: Command,
  options: readonly Option[],
  config: () => Promise<Configuration>,
): Promise<void> {
  for (const option of options) {
    const name = option.attributeName();
    if (!(option instanceof ConfiguredOption) || command.getOptionValueSource(name) === 'cli') continue;
    const { value, check } = (await config()).settings.get(option.key) ?? {};
    if (value === undefined) continue;
    command.setOptionValueWithSource(name, check && isPathValue(check, value) ? shortPath(value) : value, 'config');
  }
}
