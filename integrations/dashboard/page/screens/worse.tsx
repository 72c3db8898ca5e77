import type { WorseView } from '../../views.js';
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

export function WorseScreen() {
  return <Loaded<WorseView> kept={useView('worse', 'worse')}>{(view) => <Worse view={view} />}</Loaded>;
}

function Worse({ view: { read, worsenings, signals } }: { readonly view: WorseView }) {
  const write = useCommand();
  const answer = read
    ? `${worsenings.length === 0 ? 'Nothing got worse' : `${countOf(worsenings.length, 'signal')} got worse`} in ${countOf(read.sessions, 'session')}.`
    : 'No session was compared yet.';
  return (
    <Screen question="Did my coding agent get worse?" title="Got worse" answer={answer}>
      <Section title="Changes" note="at most one false alarm a year:">
        <Copyable command={write('worse')} />
        <ul class="list checks">
          {worsenings.map(({ text, details }, index) => (
            <li key={index}>
              <State tone="waits" word="worse" /> <LongText value={text} />
              <div class="advice">
                <LongText value={details} />
              </div>
            </li>
          ))}
        </ul>
      </Section>
      {read ? (
        <Section title="All sessions">
          <Facts facts={signals.map(({ name, failures, of }) => [name, `${failures} of ${of}`])} />
        </Section>
      ) : null}
    </Screen>
  );
}
