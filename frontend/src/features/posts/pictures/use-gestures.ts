import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PointerEvent, RefObject } from 'react';
import { WHOLE, moved, scaled } from './view-of.js';
import type { Point, Size, View } from './view-of.js';

/** px that a finger or mouse may move in a press. */
const MOVE_TOLERANCE_PX = 8;
/** px of a swipe to another picture, and of one down, which closes. */
const MIN_SWIPE_PX = 48;
const SWIPE_DOWN = 96;
/** The two presses of a double press: ms, and px between them. */
const DOUBLE_TAP = { ms: 320, px: 32 };
const DOUBLE_SCALE = 2.5;
const ZOOM_STEP = 1.5;
/** A wheel's px that double the scale. */
const WHEEL_PX_PER_DOUBLING = 240;

interface Gestures {
  /** A swipe, by a finger alone. */
  onStep: (by: 1 | -1) => void;
  /**
   * A press beside the picture, but not the second one of a double press that has opened it; or a swipe down, by a finger
   * alone.
   */
  onClose: () => void;
}

const sizeOf = ({ offsetWidth, offsetHeight }: HTMLElement): Size => ({
  width: offsetWidth,
  height: offsetHeight,
});
const NOT_SWIPED: Point = { x: 0, y: 0 };

interface Press {
  from: Point;
  /** Which way one finger has begun to drag, or that there are several; undefined while it may be a tap. */
  drag?: 'x' | 'y' | 'several';
}

const wayOf = ({ from }: Press, { x, y }: Point): Point => ({ x: x - from.x, y: y - from.y });
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
  { onStep, onClose }: Gestures,
) {
  /** `swiped`: how far a swipe has come that is under way, in px. */
  const [state, setState] = useState({ of: shown, view: WHOLE, swiped: NOT_SWIPED });
  const { view, swiped } = state.of === shown ? state : { view: WHOLE, swiped: NOT_SWIPED };
  const large = view.scale > 1;
  const fingers = useRef(new Map<number, Point>());
  const [openedAt] = useState(() => performance.now());
  /** Of the press that is under way. */
  const press = useRef<Press>(undefined);
  const lastTap = useRef<{ at: number; point: Point }>(undefined);

  const change = (next: (before: View) => View, swipe = NOT_SWIPED) =>
    setState((last) => ({ of: shown, view: next(last.of === shown ? last.view : WHOLE), swiped: swipe }));
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
      zoomBy(2 ** (-event.deltaY / WHEEL_PX_PER_DOUBLING), pointOf(event));
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
    press.current = { from: point, drag: fingers.current.size > 1 ? 'several' : undefined };
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
    const way = wayOf(press.current, point);
    if (Math.hypot(way.x, way.y) > MOVE_TOLERANCE_PX)
      press.current.drag ??= Math.abs(way.x) >= Math.abs(way.y) ? 'x' : 'y';
    const { drag } = press.current;
    if (drag === undefined) return;
    if (large) move({ x: point.x - before.x, y: point.y - before.y });
    else if (event.pointerType === 'touch' && drag !== 'several')
      change(() => WHOLE, drag === 'x' ? { x: way.x, y: 0 } : { x: 0, y: Math.max(0, way.y) });
  };

  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (!fingers.current.delete(event.pointerId) || !press.current || fingers.current.size > 0) return;
    const { drag } = press.current;
    const point = pointOf(event);
    const { x, y } = wayOf(press.current, point);
    press.current = undefined;
    if (drag === undefined) return tap(event, point);
    if (large || drag === 'several') return;
    zoomWhole();
    if (event.pointerType !== 'touch') return;
    if (drag === 'x' && Math.abs(x) > MIN_SWIPE_PX) onStep(x < 0 ? 1 : -1);
    if (drag === 'y' && y > SWIPE_DOWN) onClose();
  };

  const tap = (event: PointerEvent<HTMLElement>, point: Point) => {
    const { left, top, right, bottom } = frame.current!.getBoundingClientRect();
    const { clientX, clientY, timeStamp } = event;
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) {
      if (timeStamp - openedAt > DOUBLE_TAP.ms) onClose();
      return;
    }
    const last = lastTap.current;
    lastTap.current = { at: timeStamp, point };
    if (!last || timeStamp - last.at > DOUBLE_TAP.ms || distance(last.point, point) > DOUBLE_TAP.px) return;
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
    transform: `translate(${view.x + swiped.x}px, ${view.y + swiped.y}px) scale(${view.scale})`,
    zoomIn: () => zoomBy(ZOOM_STEP),
    zoomOut: () => zoomBy(1 / ZOOM_STEP),
    zoomWhole,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel },
  };
}
