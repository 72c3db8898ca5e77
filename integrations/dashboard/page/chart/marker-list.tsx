import { useState } from 'preact/hooks';
import type { Marker } from 'rsi-loop/kit';
import { countOf } from '../lib/format.js';
import { shortChange } from '../lib/model-name.js';
import { Link } from '../parts/link.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';

const FIRST = 6;

/** Changes with the numbers that the charts show them by, newest first. */
export function MarkerList({ markers }: { readonly markers: readonly Marker[] }) {
  const [isLong, setLong] = useState(false);
  if (markers.length === 0) return null;
  const numbered = markers.map((marker, index) => ({ marker, number: index + 1 })).reverse();
  const seen = isLong ? numbered : numbered.slice(0, FIRST);
  return (
    <ol class="markers" aria-label="Changes on the time axis">
      {seen.map(({ marker, number }) => (
        <li key={number}>
          <span class="marker-number">{number}</span>
          <span class="marker-kind">
            <Text value={marker.kind.replaceAll('-', ' ')} limit={40} />
          </span>
          {marker.fixId === undefined ? (
            <span title={marker.label}>
              <Text value={marker.kind === 'model' ? shortChange(marker.label) : marker.label} limit={120} />
            </span>
          ) : (
            <Link to={['trials', marker.fixId]}>
              <Text value={marker.label} limit={120} />
            </Link>
          )}
          <span class="dim">
            <When atMs={marker.atMs} /> by <Text value={marker.by} limit={40} />
          </span>
        </li>
      ))}
      {seen.length < numbered.length ? (
        <li>
          <button type="button" class="link" onClick={() => setLong(true)}>
            Show {countOf(numbered.length - seen.length, 'more change')}
          </button>
        </li>
      ) : null}
    </ol>
  );
}
