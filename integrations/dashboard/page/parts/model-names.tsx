import { shortModel } from '../lib/model-name.js';
import { Text } from './text.js';

/** Names of models without their dates. The full names are in the title. */
export function ModelNames({ names }: { readonly names: readonly string[] }) {
  return (
    <span title={names.join(', ')}>
      <Text value={[...new Set(names.map(shortModel))].join(', ')} />
    </span>
  );
}
