import type { DashboardEvent, ProblemView, StatusView } from '../../views.js';
import { type Api, ApiProblem } from './api.js';
import { EventStream } from './event-stream.js';
import { Shelf } from './shelf.js';

/** Connection to the server, as the status strip shows it. */
export type Connection = 'connecting' | 'live' | 'lost' | 'login';

export interface ClientState {
  readonly connection: Connection;
  readonly status?: StatusView;
  /** Sentence of the last event that happened, for the reader. */
  readonly happened?: string;
  readonly problem?: ProblemView;
  /** Clock of the server minus the clock of the reader. */
  readonly skewMs: number;
}

/** Time between two looks at a server that sends no events. */
const POLL_MS = 5_000;
/** Time after which a hidden page closes its connection. */
const HIDDEN_MS = 60_000;

/** Keeps the page up to date: status, events, and the views that are shown. */
export class Client {
  readonly shelf: Shelf;
  readonly #api: Api;
  readonly #stream: EventStream;
  readonly #listeners = new Set<() => void>();
  #state: ClientState = { connection: 'connecting', skewMs: 0 };
  #poll: ReturnType<typeof setTimeout> | undefined;
  #hiding: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Api) {
    this.#api = api;
    this.shelf = new Shelf((path) => this.#get(path));
    this.#stream = new EventStream(api.eventsAddress(), {
      opened: () => this.#opened(),
      lost: () => this.#lost(),
      received: (event) => this.#received(event),
    });
  }

  get state(): ClientState {
    return this.#state;
  }

  get api(): Api {
    return this.#api;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the status and opens the event stream. */
  async start(): Promise<void> {
    clearTimeout(this.#poll);
    try {
      await this.#readStatus();
      this.#stream.open();
    } catch (error) {
      const problem = error instanceof ApiProblem ? error.problem : undefined;
      if (problem?.action === 'login') return;
      this.#set({ connection: 'lost', ...(problem && { problem }) });
      this.#poll = setTimeout(() => void this.start(), POLL_MS);
    }
  }

  /** Closes the connection of a page that stays hidden, and reopens it when it is shown. */
  visibility(hidden: boolean): void {
    clearTimeout(this.#hiding);
    if (hidden) this.#hiding = setTimeout(() => this.#stream.close(), HIDDEN_MS);
    else if (!this.#stream.isOpen && this.#state.connection !== 'login') void this.#reconnect();
  }

  /** Shows the form that asks for the token. */
  askForToken(): void {
    this.#stream.close();
    this.#set({ connection: 'login' });
  }

  async login(token: string): Promise<void> {
    await this.#api.login({ token });
    await this.#restart();
  }

  async logout(): Promise<void> {
    await this.#api.logout();
    await this.#restart();
  }

  /** Reads everything again with the rights that this browser has now. */
  async #restart(): Promise<void> {
    this.#stream.close();
    this.#set({ connection: 'connecting' });
    await this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    await this.start();
    this.shelf.refreshAll();
  }

  async #get(path: string): Promise<unknown> {
    try {
      return await this.#api.get(path);
    } catch (error) {
      if (error instanceof ApiProblem && error.problem.action === 'login') {
        this.#stream.close();
        this.#set({ connection: 'login', problem: error.problem });
      }
      throw error;
    }
  }

  #opened(): void {
    const wasLost = this.#state.connection === 'lost';
    this.#set({ connection: 'live' });
    if (wasLost) this.shelf.refreshAll();
  }

  #lost(): void {
    if (this.#state.connection === 'login') return;
    this.#set({ connection: 'lost' });
    clearTimeout(this.#poll);
    this.#poll = setTimeout(() => void this.start(), POLL_MS);
  }

  #received(event: DashboardEvent): void {
    if (event.kind === 'happened') this.#set({ happened: event.sentence });
    else {
      this.shelf.refresh(event.views);
      if (event.views.includes('status')) void this.#readStatus();
    }
  }

  async #readStatus(): Promise<void> {
    const status = (await this.#get('status')) as StatusView; // the answer of api/status
    this.#set({ status, skewMs: status.nowMs - Date.now() });
  }

  #set(change: Partial<ClientState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
