import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PointerEvent, RefObject } from 'react';
import { WHOLE, moved, scaled } from './view-of.js';
import type { Point, Size, View } from './view-of.js';

/** px that a finger or mouse may move in a press. */
const SLACK = 8;
/** px of a swipe to another picture. */
const SWIPE = 48;
/** The two presses of a double press: ms, and px between them. */
const DOUBLE = { ms: 320, px: 32 };
const DOUBLE_SCALE = 2.5;
const STEP = 1.5;
/** A wheel's px that double the scale. */
const WHEEL = 240;

interface Gestures {
  /** A swipe, by a finger alone. */
  onStep: (by: 1 | -1) => void;
  /** A press beside the picture; not the second one of a double press that has opened it. */
  onOutside: () => void;
}

const sizeOf = ({ offsetWidth, offsetHeight }: HTMLElement): Size => ({
  width: offsetWidth,
  height: offsetHeight,
});
const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * Zoom of what `frame` holds, in the middle of `stage`, by a double press, two fingers, the wheel with Ctrl (a touchpad's pinch)
 * or `zoomIn` and `zoomOut`; a drag moves it while it is larger than the whole, and swipes otherwise. Another picture `shown`, by
 * its id, begins whole. `transform` is the frame's.
 */
export function useGestures(
  stage: RefObject<HTMLElement | null>,
  frame: RefObject<HTMLElement | null>,
  shown: string,
  { onStep, onOutside }: Gestures,
) {
  /** `aside`: px to the right, by a swipe that is under way. */
  const [state, setState] = useState({ of: shown, view: WHOLE, aside: 0 });
  const { view, aside } = state.of === shown ? state : { view: WHOLE, aside: 0 };
  const large = view.scale > 1;
  const fingers = useRef(new Map<number, Point>());
  const [openedAt] = useState(() => performance.now());
  /** Of the press that is under way. */
  const press = useRef<{ from: Point; moved: boolean; several: boolean }>(undefined);
  const lastTap = useRef<{ at: number; point: Point }>(undefined);

  const change = (next: (before: View) => View, swiped = 0) =>
    setState((last) => ({ of: shown, view: next(last.of === shown ? last.view : WHOLE), aside: swiped }));
  const sizes = (): [picture: Size, stage: Size] => [sizeOf(frame.current!), sizeOf(stage.current!)];
  const zoomBy = (factor: number, about: Point = { x: 0, y: 0 }) =>
    change((before) => scaled(before, before.scale * factor, about, ...sizes()));
  const move = (by: Point) => change((before) => moved(before, by, ...sizes()));
  const zoomWhole = () => change(() => WHOLE);
  /** From the stage's middle. */
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top, width, height } = stage.current!.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };

  // React listens passively: its handlers cannot keep the browser from zooming the page.
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (event.ctrlKey) {
      event.preventDefault();
      zoomBy(2 ** (-event.deltaY / WHEEL), pointOf(event));
    } else if (large) {
      event.preventDefault();
      move({ x: -event.deltaX, y: -event.deltaY });
    }
  });
  useEffect(() => {
    const element = stage.current;
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [stage]);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || (event.target as Element).closest('button')) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const point = pointOf(event);
    fingers.current.set(event.pointerId, point);
    const several = fingers.current.size > 1;
    press.current = { from: point, moved: several, several };
  };

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = fingers.current.get(event.pointerId);
    if (!before || !press.current) return;
    const point = pointOf(event);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, point);
    if (other) {
      const was = between(before, other);
      const is = between(point, other);
      move({ x: is.x - was.x, y: is.y - was.y });
      zoomBy(distance(point, other) / Math.max(1, distance(before, other)), is);
      return;
    }
    if (distance(point, press.current.from) > SLACK) press.current.moved = true;
    if (!press.current.moved) return;
    const { from, several } = press.current;
    if (large) move({ x: point.x - before.x, y: point.y - before.y });
    else if (event.pointerType === 'touch' && !several) change(() => WHOLE, point.x - from.x);
  };

  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (!fingers.current.delete(event.pointerId) || !press.current || fingers.current.size > 0) return;
    const { from, moved: dragged, several } = press.current;
    const point = pointOf(event);
    press.current = undefined;
    if (!dragged) return tap(event, point);
    if (large || several) return;
    zoomWhole();
    const { x, y } = { x: point.x - from.x, y: point.y - from.y };
    if (event.pointerType === 'touch' && Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y))
      onStep(x < 0 ? 1 : -1);
  };

  const tap = (event: PointerEvent<HTMLElement>, point: Point) => {
    const { left, top, right, bottom } = frame.current!.getBoundingClientRect();
    const { clientX, clientY, timeStamp } = event;
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) {
      if (timeStamp - openedAt > DOUBLE.ms) onOutside();
      return;
    }
    const last = lastTap.current;
    lastTap.current = { at: timeStamp, point };
    if (!last || timeStamp - last.at > DOUBLE.ms || distance(last.point, point) > DOUBLE.px) return;
    lastTap.current = undefined;
    if (large) zoomWhole();
    else zoomBy(DOUBLE_SCALE, point);
  };

  const onPointerCancel = (event: PointerEvent<HTMLElement>) => {
    fingers.current.delete(event.pointerId);
    press.current = undefined;
    if (!large) zoomWhole();
  };

  return {
    /** Larger than the whole picture. */
    large,
    transform: `translate(${view.x + aside}px, ${view.y}px) scale(${view.scale})`,
    zoomIn: () => zoomBy(STEP),
    zoomOut: () => zoomBy(1 / STEP),
    zoomWhole,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel },
  };
}
