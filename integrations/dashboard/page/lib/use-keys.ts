import { useLayoutEffect, useRef } from 'preact/hooks';

/** Calls `handler` for keys that are not typed into a field. The handler returns true for keys that it takes. */
export function useKeys(handler: (event: KeyboardEvent) => boolean): void {
  const latest = useRef(handler);
  latest.current = handler;
  // Before the screen is painted, so that a key works as soon as its button shows.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (latest.current(event)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog[open]') !== null;
}
