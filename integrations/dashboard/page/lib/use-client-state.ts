import { useEffect, useState } from 'preact/hooks';
import type { Client, ClientState } from './client.js';

export function useClientState(client: Client): ClientState {
  const [state, setState] = useState(client.state);
  useEffect(() => {
    const read = () => setState(client.state);
    // The first answer may arrive between the first drawing and this effect.
    read();
    return client.subscribe(read);
  }, [client]);
  return state;
}
