import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';

/** Pixels below which a drag is a click. */
const MIN_DRAG_PX = 6;

interface Brush {
  start(event: PointerEvent): void;
  /** Returns the distance of the pointer from the left edge. */
  move(event: PointerEvent): number;
  end(event: PointerEvent): void;
  cancel(): void;
}

/** Selection of a part of a chart by dragging. `selection` is the element that shows it. */
export function useBrush(
  selection: RefObject<HTMLElement | null>,
  onSelect: (fromPx: number, toPx: number) => void,
): Brush {
  const startPx = useRef<number | undefined>(undefined);
  const show = (fromPx: number, toPx: number) => {
    const style = selection.current?.style;
    if (!style) return;
    style.display = toPx - fromPx < MIN_DRAG_PX ? 'none' : 'block';
    style.left = `${fromPx}px`;
    style.width = `${toPx - fromPx}px`;
  };
  const cancel = () => {
    startPx.current = undefined;
    show(0, 0);
  };
  return {
    start: (event) => {
      if (event.button !== 0 || event.pointerType === 'touch') return;
      startPx.current = distance(event);
    },
    move: (event) => {
      const px = distance(event);
      if (startPx.current !== undefined) show(Math.min(px, startPx.current), Math.max(px, startPx.current));
      return px;
    },
    end: (event) => {
      const start = startPx.current;
      const px = distance(event);
      cancel();
      if (start !== undefined && Math.abs(px - start) >= MIN_DRAG_PX)
        onSelect(Math.min(px, start), Math.max(px, start));
    },
    cancel,
  };
}

function distance({ clientX, currentTarget }: PointerEvent): number {
  return currentTarget instanceof Element ? clientX - currentTarget.getBoundingClientRect().left : 0;
}
