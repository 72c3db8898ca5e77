import { useEffect, useState } from 'preact/hooks';
import type { Client, ClientState } from './client.js';

export function useClientState(client: Client): ClientState {
  const [state, setState] = useState(client.state);
  useEffect(() => client.subscribe(() => setState(client.state)), [client]);
  return state;
}
