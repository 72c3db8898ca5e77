import { useState } from 'preact/hooks';
import { count } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { Link } from '../parts/link.js';
import { SCREENS } from './screens.js';
import { ThemeSwitch, type ThemeSwitchProps } from './theme-switch.js';

/** Links to the screens. On narrow pages they are behind a button. */
export function Navigation(props: ThemeSwitchProps) {
  const { route, state, client } = usePage();
  const [isOpen, setOpen] = useState(false);
  const [first = ''] = route.segments;
  const here = first === 'improvements' ? 'benchmarks' : first;
  const { waiting = 0, versionsWaiting = 0 } = state.status ?? {};
  const badges: Readonly<Partial<Record<string, number>>> = { review: waiting, benchmarks: versionsWaiting };
  return (
    <nav class={isOpen ? 'navigation open' : 'navigation'} aria-label="Screens">
      <div class="brand">
        <Link to={[]}>rsi-loop</Link>
        <button type="button" class="menu-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Menu
        </button>
      </div>
      <ul onClickCapture={() => setOpen(false)}>
        {SCREENS.map(({ path, name }) => (
          <li key={path}>
            <Link to={path === '' ? [] : [path]} current={path === here}>
              {name}
              {badges[path] ? (
                <span class="badge">
                  {count(badges[path])}
                  <span class="unseen"> waiting</span>
                </span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
      {state.status?.signedIn ? (
        <button type="button" class="sign-out" onClick={() => void client.logout()}>
          Sign out
        </button>
      ) : null}
      <ThemeSwitch {...props} />
    </nav>
  );
}
