import type { StoreView } from '../../views.js';
import { useCommand } from '../lib/command.js';
import { countOf } from '../lib/format.js';
import { useView } from '../lib/use-view.js';
import { Copyable } from '../parts/copyable.js';
import { Facts } from '../parts/facts.js';
import { Loaded } from '../parts/loaded.js';
import { LongText } from '../parts/long-text.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { Text } from '../parts/text.js';

export function StoreScreen() {
  return <Loaded<StoreView> kept={useView('store', 'store')}>{(view) => <Store view={view} />}</Loaded>;
}

function Store({ view: { facts, findings } }: { readonly view: StoreView }) {
  const write = useCommand();
  const open = findings.filter(({ level }) => level === 'attention');
  const sorted = [...open, ...findings.filter(({ level }) => level === 'ok')];
  const answer =
    open.length === 0
      ? 'Yes: every check passed.'
      : `${countOf(open.length, 'thing')} ${open.length === 1 ? 'needs' : 'need'} attention, and ${countOf(findings.length - open.length, 'check')} passed.`;
  return (
    <Screen question="Is the store sound?" title="Store" answer={answer}>
      <Section title="Checks" note="the same as in a terminal:">
        <Copyable command={write('doctor')} />
        <ul class="list checks">
          {sorted.map(({ level, message, advice }, index) => (
            <li key={index}>
              <State tone={level === 'ok' ? 'confirmed' : 'waits'} word={level === 'ok' ? 'ok' : 'attention'} />{' '}
              <Text value={message} limit={600} />
              {advice === undefined ? null : (
                <div class="advice">
                  <LongText value={advice} />
                </div>
              )}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Facts">
        <Facts facts={facts.map(({ name, value }) => [name, <LongText key={name} value={value} />])} />
      </Section>
    </Screen>
  );
}
