import { useEffect, useEffectEvent } from 'react';

/** Below this width the navigation collapses and some dialogs fill the screen; the style sheets use the same value. */
export const PHONE = '(max-width: 767px)';

/** What covers the page and has a history entry. */
const open = new Set<number>();
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

/** Not by the router: the page is the same, and so is its place in what the router tells. */
function enter(id: number): void {
  const state = stateNow();
  open.add(id);
  history.pushState({ ...state, usr: { ...state?.usr, dialog: id }, idx: (state?.idx ?? 0) + 1 }, '');
}

function stepBack(): void {
  leaving = true;
  window.addEventListener('popstate', () => (leaving = false), { once: true });
  history.back();
}

function leave(id: number): void {
  // Elsewhere after a link in it: then its entry is passed over by Back.
  if (open.delete(id) && dialogNow() === id) stepBack();
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
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const pass = () => {
      const id = dialogNow();
      if (id === undefined || open.has(id)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (dialogNow() === id) stepBack();
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
