import { useMemo } from 'preact/hooks';
import type { SessionView } from '../../session-views.js';
import { diffLines } from '../lib/diff.js';
import { count } from '../lib/format.js';
import { Link } from '../parts/link.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { runsOf, stepsOf } from './session-calls.js';

type Kind = 'same' | 'added' | 'removed';

interface Stretch {
  readonly kind: Kind;
  readonly tasks: string[];
}

const MOST = 14;
const WORDS: Readonly<Record<Kind, string>> = { same: 'both', added: 'only here', removed: 'only there' };

/** The calls of this session beside those of one without a failure. The first difference is marked. */
export function SessionBeside({ view: { calls, good } }: { readonly view: SessionView }) {
  const stretches = useMemo(() => {
    const text = (tasks: readonly string[]) => tasks.map((task) => task.replaceAll('\n', ' ')).join('\n');
    return good === undefined ? [] : stretchesOf(text(good.tasks), text(stepsOf(calls)));
  }, [calls, good]);
  if (good === undefined) return null;
  const first = stretches.findIndex(({ kind }) => kind !== 'same');
  return (
    <Section
      title="What did a session without a failure do?"
      note={
        <Link to={['sessions', good.id]}>
          <Text value={good.id} limit={60} />
        </Link>
      }
    >
      <ol class="beside">
        {stretches.slice(0, MOST).map(({ kind, tasks }, index) => (
          <li key={index} class={`beside-${kind}`}>
            <span class="dim">{WORDS[kind]}</span>
            <span>
              {index === first ? (
                <>
                  <State tone="failing" word="first difference" />{' '}
                </>
              ) : null}
              <Text value={runsOf(tasks)} limit={300} />
            </span>
          </li>
        ))}
      </ol>
      {stretches.length > MOST ? (
        <p class="dim">{count(stretches.length - MOST)} more stretches differ or agree.</p>
      ) : null}
    </Section>
  );
}

function stretchesOf(before: string, after: string): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const { kind, text } of diffLines(before, after)) {
    const last = found.at(-1);
    if (last?.kind === kind) last.tasks.push(text);
    else found.push({ kind, tasks: [text] });
  }
  return found;
}
