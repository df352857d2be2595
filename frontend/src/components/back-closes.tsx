import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Below this width the navigation collapses and dialogs fill the screen; the style sheets use the same value. */
export const PHONE = '(max-width: 767px)';

/** Dialogs that have a history entry. A closing dialog is removed after its entry has been left. */
const open = new Set<number>();
let lastId = 0;

const dialogOf = (state: unknown) => (state as { dialog?: number } | null)?.dialog;

/** Compares with the browser's current entry; a render may be behind it. */
const isAt = (id: number) => dialogOf((history.state as { usr?: unknown } | null)?.usr) === id;

/**
 * Lets Back close a dialog that fills a phone's screen: such a dialog gets a history entry with the same address. Closing
 * it in another way removes the entry.
 */
export function BackCloses({ onBack }: { onBack: () => void }) {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();

  const enter = useEffectEvent((id: number) => {
    open.add(id);
    void navigate({ pathname, search, hash }, { state: { dialog: id } });
  });
  const left = useEffectEvent(onBack);
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
    // Deferred: StrictMode mounts and unmounts at once, and going back takes a while.
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
  }, []);

  return null;
}

/**
 * Goes back from the history entry of a dialog that is no longer open, reached by Forward or a reload.
 * @returns whether the current entry belongs to a dialog; then the page behind it must not scroll.
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
