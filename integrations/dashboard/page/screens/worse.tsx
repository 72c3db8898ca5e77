import type { WorseView } from '../../views.js';
import { useCommand } from '../lib/command.js';
import { useView } from '../lib/use-view.js';
import { Copyable } from '../parts/copyable.js';
import { Facts } from '../parts/facts.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';

export function WorseScreen() {
  const write = useCommand();
  return (
    <Loaded<WorseView> kept={useView('worse', 'worse')}>
      {({ answer, facts }) => (
        <Screen question="Did my coding agent get worse?" title="Got worse" answer={answer}>
          <Copyable command={write('worse')} />
          <Facts facts={facts} />
        </Screen>
      )}
    </Loaded>
  );
}
