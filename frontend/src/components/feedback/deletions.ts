import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { isNotFound } from '../../server/http/api-error.js';
import { useTexts } from '../../i18n/texts.js';
import { session, viewerId } from '../../server/session/session.js';
import { undoable } from './undoable.js';

interface Deleted {
  /** What it was part of, such as a comment's post. */
  of?: string;
  /** Until then it can be taken back, and the server still counts it. */
  final: boolean;
}

export type Deletions = ReadonlyMap<string, Deleted>;

/**
 * What the viewer has deleted, by id. No list shows it, whatever is read from the server meanwhile. Ids are never used
 * again, so an entry stays: an answer that is older than the deletion may still arrive.
 */
const NONE: Deletions = new Map();

let deletions = NONE;
let viewer: string | undefined;
const listeners = new Set<() => void>();

function setDeletions(next: Deletions): void {
  deletions = next;
  for (const listener of listeners) listener();
}

const setDeleted = (id: string, deleted: Deleted): void => setDeletions(new Map(deletions).set(id, deleted));

function showAgain(id: string): void {
  const next = new Map(deletions);
  next.delete(id);
  setDeletions(next);
}

session.subscribe(() => {
  if (deletions.size > 0 && viewerId() !== viewer) setDeletions(new Map());
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useDeletions = (): Deletions =>
  useSyncExternalStore(
    subscribe,
    () => deletions,
    () => NONE,
  );

/** `items` without those that the viewer has deleted; the same array if there are none. */
export function withoutDeleted<Item extends { id: string }>(items: Item[], all: Deletions): Item[] {
  return items.some(({ id }) => all.has(id)) ? items.filter(({ id }) => !all.has(id)) : items;
}

/** How many parts of `whole` are deleted here and still counted by the server. */
export const deletedOf = (whole: string, all: Deletions): number =>
  [...all.values()].filter(({ of, final }) => of === whole && !final).length;

interface Deletion {
  id: string;
  of?: string;
  /** See `Undoable`; the id by default. */
  subject?: string;
  /** Says that it is deleted. */
  message: string;
  /** Finds it on the page: it gets the focus after Undo. */
  selector: string;
  /** In place of the focus: for a page that was left with the deletion. */
  onUndone?: () => void;
  /** The call, with `keepalive`: the page may be left before the answer. */
  send: () => Promise<unknown>;
  /** It is deleted, here or elsewhere: the place for changes of what was read before. */
  onDeleted: () => void;
  onFailed: (error: unknown) => void;
}

/**
 * Deletes at once for the viewer, on the server once Undo has gone (UI-56). One that is gone already is deleted. After a
 * failure it is shown again.
 */
export function useDeletion(): (deletion: Deletion) => void {
  const { dialog } = useTexts();
  return (deletion) => {
    const { id, of, subject = id, message, selector } = deletion;
    const caller = viewerId();
    const undo = () => {
      flushSync(() => showAgain(id));
      if (deletion.onUndone) return deletion.onUndone();
      const target = document.querySelector<HTMLElement>(selector) ?? document.getElementById('main');
      target?.focus();
    };
    const send = async () => {
      // With the session ended the right to delete it, and the memory of the deletion.
      const isOver = () => viewerId() !== caller;
      if (isOver()) return false;
      try {
        await deletion.send();
      } catch (error) {
        if (isOver()) return false;
        if (!isNotFound(error)) {
          showAgain(id);
          deletion.onFailed(error);
          return false;
        }
      }
      if (isOver()) return true;
      setDeleted(id, { of, final: true });
      deletion.onDeleted();
      return true;
    };
    viewer = caller;
    setDeleted(id, { of, final: false });
    undoable({ type: 'success', message, subject, undoLabel: dialog.undo, undo, send });
  };
}
