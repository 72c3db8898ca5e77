import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

/** Draws a component again only if one of its properties changed. */
export function memo<Drawn extends FunctionComponent<never>>(drawn: Drawn): Drawn {
  class Memo extends Component<Record<string, unknown>> {
    override shouldComponentUpdate(next: Readonly<Record<string, unknown>>): boolean {
      const keys = new Set([...Object.keys(next), ...Object.keys(this.props)]);
      return [...keys].some((key) => next[key] !== (this.props as Record<string, unknown>)[key]);
    }

    override render(): ComponentChild {
      return h(drawn as unknown as FunctionComponent<Record<string, unknown>>, this.props); // the same properties
    }
  }
  return Memo as unknown as Drawn; // takes and draws what `drawn` does
}
