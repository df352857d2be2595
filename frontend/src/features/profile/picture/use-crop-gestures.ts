import { useEffect, useRef } from 'react';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { typedKey } from '../../../components/shortcuts/typed-key.js';
import { moved, zoomed } from './crop.js';
import type { Crop, Offset, Size } from './crop.js';

/** By an arrow key, in parts of the square. */
const KEY_STEP = 0.05;
/** By + and -. */
const ZOOM_STEP = 1.15;
/** Of a pixel of the wheel: a notch of 100 zooms by a sixth. */
const ZOOM_PER_WHEEL_PX = 0.0015;

const MOVES = new Map<string, Offset>([
  ['ArrowLeft', { x: -KEY_STEP, y: 0 }],
  ['ArrowRight', { x: KEY_STEP, y: 0 }],
  ['ArrowUp', { x: 0, y: -KEY_STEP }],
  ['ArrowDown', { x: 0, y: KEY_STEP }],
]);
const ZOOMS = new Map([
  ['+', ZOOM_STEP],
  // Of the same key, without Shift.
  ['=', ZOOM_STEP],
  ['-', 1 / ZOOM_STEP],
]);

type Change = (next: (crop: Crop) => Crop) => void;

/** Moves and zooms the picture in its frame: one pointer drags, two pinch, the wheel and keys do both (UI-67). */
export function useCropGestures(
  frame: RefObject<HTMLElement | null>,
  picture: Size | undefined,
  change: Change,
) {
  const pointers = useRef(new Map<number, Offset>());

  useEffect(() => {
    const element = frame.current;
    if (!element || !picture) return;
    const onWheel = (event: WheelEvent) => {
      // Else the page would zoom, or the dialog scroll.
      event.preventDefault();
      const at = placeIn(element, event);
      change((crop) => zoomed(picture, crop, crop.zoom * Math.exp(-event.deltaY * ZOOM_PER_WHEEL_PX), at));
    };
    // Not React's, which cannot prevent.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frame, picture, change]);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, placeIn(event.currentTarget, event));
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const held = pointers.current;
    if (!picture || !held.has(event.pointerId)) return;
    const before = spanOf([...held.values()]);
    held.set(event.pointerId, placeIn(event.currentTarget, event));
    const now = spanOf([...held.values()]);
    const by = { x: now.centre.x - before.centre.x, y: now.centre.y - before.centre.y };
    const nearer = before.width > 0 ? now.width / before.width : 1;
    change((crop) => moved(picture, zoomed(picture, crop, crop.zoom * nearer, before.centre), by));
  };
  const onPointerEnd = ({ pointerId }: PointerEvent<HTMLElement>) => void pointers.current.delete(pointerId);
  const onKeyDown = (event: KeyboardEvent) => {
    const key = typedKey(event);
    const by = MOVES.get(key);
    const nearer = ZOOMS.get(key);
    if (!picture || event.ctrlKey || event.metaKey || event.altKey || (!by && !nearer)) return;
    event.preventDefault();
    change((crop) => (by ? moved(picture, crop, by) : zoomed(picture, crop, crop.zoom * nearer!)));
  };
  return {
    onPointerDown,
    onPointerMove,
    onPointerUp: onPointerEnd,
    onPointerCancel: onPointerEnd,
    onKeyDown,
  };
}

/** From the frame's centre. */
function placeIn(frame: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): Offset {
  const { left, top, width, height } = frame.getBoundingClientRect();
  return { x: (clientX - left) / width - 0.5, y: (clientY - top) / height - 0.5 };
}

/** Between the first two places. */
function spanOf([first, second]: Offset[]): { centre: Offset; width: number } {
  const other = second ?? first!;
  const centre = { x: (first!.x + other.x) / 2, y: (first!.y + other.y) / 2 };
  return { centre, width: Math.hypot(first!.x - other.x, first!.y - other.y) };
}
