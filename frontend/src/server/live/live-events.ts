import { useEffect, useEffectEvent } from 'react';
import type { GraphChange, Message, Notification, PostMedia, Subscription } from '../../api/types.js';

/** What happens while a page is open. `reload`: something may have been missed, so what is shown is to be read again. */
export type LiveEvent =
  | { type: 'message'; data: Message }
  | { type: 'notification'; data: Notification }
  | { type: 'graph'; data: GraphChange }
  | { type: 'subscription'; data: Subscription }
  | { type: 'subscribers' }
  | { type: 'post-media'; data: PostMedia }
  | { type: 'reload' };

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();

export function emitLive(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/** Calls `listener` with each event as long as the component is on the page. */
export function useLiveEvents(listener: Listener): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => {
    const own: Listener = (event) => onEvent(event);
    listeners.add(own);
    return () => void listeners.delete(own);
  }, []);
}
