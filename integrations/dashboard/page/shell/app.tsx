import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DecisionDialog } from '../decide/decision-dialog.js';
import type { Client } from '../lib/client.js';
import { AddressContext, Clock, type Intent, Page, type PageContext } from '../lib/page-context.js';
import { SharedTime } from '../lib/shared-time.js';
import { useClientState } from '../lib/use-client-state.js';
import { KeyHelp } from './key-help.js';
import { Login } from './login.js';
import { Navigation } from './navigation.js';
import { Outlet } from './outlet.js';
import { StatusStrip } from './status-strip.js';
import { type Sentence, Toast } from './toast.js';
import { usePageKeys } from './use-page-keys.js';
import { useRoute } from './use-route.js';
import { useTheme } from './use-theme.js';

const CLOCK_MS = 30_000;

/** The whole page: navigation, state, the screen of the address, and what lies above it. */
export function App({ client, base }: { readonly client: Client; readonly base: string }) {
  const state = useClientState(client);
  const { theme, chosen, choose } = useTheme();
  const { route, go, setQuery } = useRoute(base);
  const [intent, setIntent] = useState<Intent>();
  const [isHelp, setHelp] = useState(false);
  const { sentence, say } = useSentence(state.happened);
  const sharedTime = useMemo(() => new SharedTime(), []);
  const nowMs = useClock() + state.skewMs;

  const { range } = route.query;
  const page = useMemo<PageContext>(
    () => ({ client, state, route, theme, base, sharedTime, go, setQuery, ask: setIntent, say }),
    [client, state, route, theme, base, sharedTime, go, setQuery, say],
  );
  const addresses = useMemo(() => ({ base, go, ...(range !== undefined && { range }) }), [base, go, range]);
  usePageKeys(page, () => setHelp(true));

  return (
    <Page.Provider value={page}>
      <AddressContext.Provider value={addresses}>
        <Clock.Provider value={nowMs}>
          <button type="button" class="skip" onClick={skip}>
            Skip to the content
          </button>
          <Navigation chosen={chosen} choose={choose} />
          <div class="column">
            <StatusStrip />
            <main id="content" tabIndex={-1}>
              {state.connection === 'login' ? <Login /> : <Outlet />}
            </main>
          </div>
          {intent ? <DecisionDialog intent={intent} close={() => setIntent(undefined)} /> : null}
          {isHelp ? <KeyHelp close={() => setHelp(false)} /> : null}
          <Toast sentence={sentence} />
        </Clock.Provider>
      </AddressContext.Provider>
    </Page.Provider>
  );
}

function skip(): void {
  document.getElementById('content')?.focus();
}

function useSentence(happened: string | undefined) {
  const [sentence, setSentence] = useState<Sentence>();
  const number = useRef(0);
  const say = useCallback((text: string) => {
    number.current += 1;
    setSentence({ text, number: number.current });
  }, []);
  useEffect(() => {
    if (happened !== undefined) say(happened);
  }, [happened, say]);
  return { sentence, say };
}

function useClock(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
