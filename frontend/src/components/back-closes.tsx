import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router-dom';

/** Below this width the navigation collapses and some dialogs fill the screen; the style sheets use the same value. */
export const PHONE = '(max-width: 767px)';

/** What covers the page and has a history entry, with the entry's number. */
const open = new Map<number, number>();
/** Entries from which a link in them has led on: Forward passes over them onwards. */
const crossed = new Set<number>();
/** The history may still have entries that were made before a reload. */
let lastId = Date.now();
/** An entry is being left, which takes the browser a while. */
let leaving = false;

interface EntryState {
  usr?: { dialog?: number } | null;
  /** The router's number of the entry. */
  idx?: number;
}

const stateNow = () => history.state as EntryState | null;
const dialogNow = () => stateNow()?.usr?.dialog;
const indexNow = () => stateNow()?.idx ?? 0;

/** The numbers of the entry that is shown and of the one before. */
let index = 0;
let before = 0;

function noteIndex(): void {
  if (index === indexNow()) return;
  before = index;
  index = indexNow();
}

/** Not by the router: the page is the same, and so is its place in what the router tells. */
function enter(id: number): void {
  const state = stateNow();
  const idx = indexNow() + 1;
  open.set(id, idx);
  history.pushState({ ...state, usr: { ...state?.usr, dialog: id }, idx }, '');
  noteIndex();
}

function step(by: -1 | 1): void {
  leaving = true;
  window.addEventListener('popstate', () => (leaving = false), { once: true });
  history.go(by);
}

function leave(id: number): void {
  const idx = open.get(id);
  if (idx === undefined) return;
  open.delete(id);
  if (dialogNow() === id) step(-1);
  else if (indexNow() > idx) crossed.add(id);
}

/**
 * Lets Back close what covers a phone's page (UI-36): it gets a history entry with the same address. Closing it in
 * another way removes the entry.
 */
export function BackCloses({ onBack }: { onBack: () => void }) {
  const left = useEffectEvent(onBack);

  useEffect(() => {
    if (!matchMedia(PHONE).matches) return;
    const id = ++lastId;
    let timer: ReturnType<typeof setTimeout>;
    // Deferred: StrictMode mounts and unmounts at once. The entry of what was there before is left first.
    const begin = () => {
      timer = setTimeout(() => {
        if (!leaving) enter(id);
      });
    };
    const onPopState = () => {
      if (open.has(id)) {
        if (dialogNow() !== id) left();
        return;
      }
      clearTimeout(timer);
      begin();
    };
    begin();
    window.addEventListener('popstate', onPopState);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('popstate', onPopState);
      leave(id);
    };
  }, []);

  return null;
}

/** Passes over the history entry of what is no longer open, reached by Back, Forward or a reload. */
export function usePassedDialogs(): void {
  const { key } = useLocation();
  useEffect(noteIndex, [key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const pass = () => {
      const id = dialogNow();
      noteIndex();
      if (id === undefined || open.has(id)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (dialogNow() === id) step(crossed.has(id) && index > before ? 1 : -1);
      });
    };
    pass();
    window.addEventListener('popstate', pass);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('popstate', pass);
    };
  }, []);
}
