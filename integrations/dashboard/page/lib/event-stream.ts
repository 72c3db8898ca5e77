import type { DashboardEvent } from '../../views.js';

export interface EventStreamHandler {
  opened(): void;
  lost(): void;
  received(event: DashboardEvent): void;
}

/** Server-sent events. The browser reconnects and asks for the events that it missed. */
export class EventStream {
  readonly #address: string;
  readonly #handler: EventStreamHandler;
  #source: EventSource | undefined;

  constructor(address: string, handler: EventStreamHandler) {
    this.#address = address;
    this.#handler = handler;
  }

  get isOpen(): boolean {
    return this.#source !== undefined && this.#source.readyState !== EventSource.CLOSED;
  }

  open(): void {
    if (this.isOpen) return;
    const source = new EventSource(this.#address);
    this.#source = source;
    source.onopen = () => this.#handler.opened();
    source.onerror = () => this.#handler.lost();
    source.onmessage = ({ data }) => {
      const event = parsed(data);
      if (event) this.#handler.received(event);
    };
  }

  close(): void {
    this.#source?.close();
    this.#source = undefined;
  }
}

function parsed(data: unknown): DashboardEvent | undefined {
  try {
    return JSON.parse(String(data)) as DashboardEvent; // what the server sends, of the same version as the page
  } catch {
    return undefined;
  }
}
