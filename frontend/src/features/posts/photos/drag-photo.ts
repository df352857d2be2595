import type { PointerEvent as ReactPointerEvent } from 'react';
import { typedKey } from '../../../components/shortcuts/typed-key.js';

/** A mouse moves so far before it drags, a finger before it scrolls; in px. */
const MOVE_TOLERANCE_PX = 6;
/** A finger that rests so long drags; in ms. */
const LONG_PRESS = 350;

interface Drag {
  /** The tiles in their order; the pressed one is among them. */
  tiles: HTMLElement[];
  from: number;
  onDrop: (to: number) => void;
}

/**
 * Lets the pressed tile be dragged to another place: by the mouse at once, by a finger after a long press, so that it can also
 * scroll. Until it is dropped only the looks change; Escape puts it back.
 */
export function dragPhoto(press: ReactPointerEvent, { tiles, from, onDrop }: Drag): void {
  if (press.button !== 0 || tiles.length < 2) return;
  const tile = tiles[from]!;
  const begin = { x: press.clientX, y: press.clientY };
  const isTouch = press.pointerType === 'touch';
  const ends: (() => void)[] = [];
  function listen<Type extends keyof WindowEventMap>(
    type: Type,
    handler: (event: WindowEventMap[Type]) => void,
    options?: AddEventListenerOptions,
  ): void {
    window.addEventListener(type, handler, options);
    ends.push(() => window.removeEventListener(type, handler, options));
  }
  let slots: DOMRect[] | undefined;
  let to = from;

  const start = () => {
    slots = tiles.map((one) => one.getBoundingClientRect());
    tile.dataset.dragged = '';
    tile.parentElement!.dataset.dragging = '';
  };
  const timer = isTouch ? setTimeout(start, LONG_PRESS) : undefined;
  const end = () => {
    clearTimeout(timer);
    for (const stop of ends) stop();
    delete tile.dataset.dragged;
    delete tile.parentElement?.dataset.dragging;
    for (const one of tiles) one.style.translate = '';
  };

  const onMove = ({ clientX, clientY }: PointerEvent) => {
    const [x, y] = [clientX - begin.x, clientY - begin.y];
    if (!slots) {
      if (Math.hypot(x, y) <= MOVE_TOLERANCE_PX) return;
      // A finger that moves at once scrolls.
      if (isTouch) return end();
      start();
    }
    to = nearest(slots!, clientX, clientY);
    tiles.forEach((one, index) => {
      const [own, slot] = [slots![index]!, slots![slotOf(index, from, to)]!];
      one.style.translate =
        index === from ? `${x}px ${y}px` : `${slot.left - own.left}px ${slot.top - own.top}px`;
    });
  };
  const onUp = () => {
    const dragged = slots !== undefined;
    end();
    if (!dragged) return;
    // The press was a drag, and is no click.
    const stop = (click: Event) => {
      click.stopPropagation();
      click.preventDefault();
    };
    window.addEventListener('click', stop, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', stop, { capture: true }));
    if (to !== from) onDrop(to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (typedKey(event) !== 'Escape' || !slots) return;
    // It would close the dialog.
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  const noScroll = (touch: Event) => slots && touch.preventDefault();

  listen('pointermove', onMove);
  listen('pointerup', onUp);
  listen('pointercancel', end);
  listen('keydown', onKey, { capture: true });
  listen('touchmove', noScroll, { passive: false });
  // A long press would open the menu of a picture.
  listen('contextmenu', (menu) => isTouch && menu.preventDefault());
}

function nearest(slots: readonly DOMRect[], x: number, y: number): number {
  const distances = slots.map(({ left, top, width, height }) =>
    Math.hypot(left + width / 2 - x, top + height / 2 - y),
  );
  return distances.indexOf(Math.min(...distances));
}

/** Where the tile of slot `index` is once the one of `from` is at `to`. */
function slotOf(index: number, from: number, to: number): number {
  if (index > from && index <= to) return index - 1;
  if (index < from && index >= to) return index + 1;
  return index;
}
