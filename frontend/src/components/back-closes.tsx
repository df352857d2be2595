import { useEffect, useEffectEvent, useReducer } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { PHONE } from './phone.js';

/** Dialogs whose history entry is in use; one that is closing stays until its entry has been left. */
const open = new Set<number>();
let lastId = 0;

const dialogOf = (state: unknown) => (state as { dialog?: number } | null)?.dialog;

/** What the address bar is at: a render may lag behind it. */
const isAt = (id: number) => dialogOf((history.state as { usr?: unknown } | null)?.usr) === id;

/**
 * For a dialog that fills a phone's screen and so looks like a page: it has a history entry of the same address, and Back
 * closes it. Closed otherwise, it takes its entry away again.
 */
export function BackCloses({ onBack }: { onBack: () => void }) {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const [round, again] = useReducer((count: number) => count + 1, 0);

  const enter = useEffectEvent((id: number) => {
    open.add(id);
    void navigate({ pathname, search, hash }, { state: { dialog: id } });
  });
  const left = useEffectEvent(() => {
    onBack();
    // An owner that asks first, and stays, needs another entry.
    again();
  });
  const leave = useEffectEvent((id: number) => {
    if (!isAt(id)) {
      open.delete(id);
      return;
    }
    window.addEventListener('popstate', () => open.delete(id), { once: true });
    void navigate(-1);
  });

  useEffect(() => {
    if (!matchMedia(PHONE).matches) return;
    const id = ++lastId;
    // Not at once: leaving takes a while, so a mount that is undone directly (StrictMode) must not have entered.
    const timer = setTimeout(() => enter(id));
    const onPopState = () => {
      if (open.has(id) && !isAt(id)) left();
    };
    window.addEventListener('popstate', onPopState);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('popstate', onPopState);
      leave(id);
    };
  }, [round]);

  return null;
}

/**
 * Steps back from the entry of a dialog that is no longer there, come upon by Forward or a reload.
 * @returns whether the present entry is a dialog's, which shows the page before it unmoved.
 */
export function useDialogEntry(): boolean {
  const navigate = useNavigate();
  const { key, state } = useLocation();
  const dialog = dialogOf(state);
  const stepBack = useEffectEvent((id: number) => {
    if (isAt(id)) void navigate(-1);
  });
  useEffect(() => {
    if (dialog === undefined || open.has(dialog)) return;
    const timer = setTimeout(() => stepBack(dialog));
    return () => clearTimeout(timer);
  }, [key, dialog]);
  return dialog !== undefined;
}
