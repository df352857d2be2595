import { useEffect, useSyncExternalStore } from 'react';
import { closeNotice, toast } from '../../components/feedback/feedback-store.js';
import { useTexts } from '../../i18n/texts.js';

/** After a failure to load the code, in ms. */
const RETRY_MS = 30_000;

type Members = typeof import('./members.js');

let members: Members | undefined;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export async function loadMembers(): Promise<void> {
  members = await import('./members.js');
  for (const listener of listeners) listener();
}

/** Loads the shell's parts for members where there is one, until it succeeds. The first failure is told: they have Logout. */
function useLoading(wanted: boolean): void {
  const { app } = useTexts();
  useEffect(() => {
    if (!wanted) return;
    let told = false;
    let notice: number | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const load = () => {
      clearTimeout(timer);
      loadMembers().catch(() => {
        if (over) return;
        timer = setTimeout(load, RETRY_MS);
        if (!told) notice = toast({ type: 'error', message: app.loadFailed });
        told = true;
      });
    };
    load();
    window.addEventListener('online', load);
    return () => {
      over = true;
      clearTimeout(timer);
      window.removeEventListener('online', load);
      if (notice !== undefined) closeNotice(notice);
    };
  }, [wanted, app]);
}

/** The shell's parts for members; undefined until their code is there. */
export function useMembers(): Members | undefined {
  return useSyncExternalStore(
    subscribe,
    () => members,
    () => undefined,
  );
}

/** As `useMembers`, and loads the code where a member is, or is expected. Once per page. */
export function useMembersCode(wanted: boolean): Members | undefined {
  const code = useMembers();
  useLoading(wanted && !code);
  return code;
}
