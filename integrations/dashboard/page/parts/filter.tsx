import { usePage } from '../lib/page-context.js';
import { oneLine } from '../lib/recorded-text.js';

interface FilterProps {
  /** Parameter in the address. */
  readonly name: string;
  readonly title: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** Selection that narrows a table, kept in the address. */
export function Filter({ name, title, options }: FilterProps) {
  const { route, setQuery } = usePage();
  const value = route.query[name] ?? '';
  return (
    <label class={value === '' ? 'filter' : 'filter active'}>
      {title}
      <select value={value} onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}>
        <option value="">all</option>
        {options.map(([option, label]) => (
          <option key={option} value={option}>
            {oneLine(label, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}
