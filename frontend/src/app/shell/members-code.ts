import { useEffect, useSyncExternalStore } from 'react';

/** After a failure to load the code, in ms. */
const AGAIN = 30_000;

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

/** Loads the shell's parts for members where there is one, until it succeeds. The page works without them. */
function useLoading(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const load = () => {
      clearTimeout(timer);
      loadMembers().catch(() => {
        if (!over) timer = setTimeout(load, AGAIN);
      });
    };
    load();
    window.addEventListener('online', load);
    return () => {
      over = true;
      clearTimeout(timer);
      window.removeEventListener('online', load);
    };
  }, [wanted]);
}

/** The shell's parts for members; undefined until their code is there. */
export function useMembers(): Members | undefined {
  return useSyncExternalStore(subscribe, () => members);
}

/** As `useMembers`, and loads the code where a member is, or is expected. Once per page. */
export function useMembersCode(wanted: boolean): Members | undefined {
  const code = useMembers();
  useLoading(wanted && !code);
  return code;
}
