import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';

/**
 * The targets of shortcuts: a selector, and the page that always contains the target. `SEARCH` is the directory's field;
 * elsewhere signed-in users search people.
 */
export const SEARCH = { selector: '[data-search]', page: '/coaches' } as const;
export const PUBLISHER = { selector: '[data-publisher]', page: '/feed' } as const;

type Destination = typeof SEARCH | typeof PUBLISHER;

/** Focuses the target, and clicks it when it is the button that opens it. False when this page does not contain it. */
export function reach({ selector }: Destination): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  if (element instanceof HTMLButtonElement) element.click();
  return element !== null;
}

/** Goes to the target on this page, otherwise on the page that contains it. */
export function useGoTo(): (destination: Destination) => void {
  const navigate = useNavigate();
  return (destination) => {
    if (reach(destination)) return;
    void navigate(destination.page, { state: { arriveAt: destination.selector } });
  };
}

/** The target of the shortcut that led to this page; undefined after any other navigation, also Back and reload. */
export function useArrivingAt(): string | undefined {
  const state = useLocation().state as { arriveAt?: string } | null;
  return useNavigationType() === 'POP' ? undefined : state?.arriveAt;
}

/** For the page that contains the target: goes to it when a shortcut led here. */
export function useArrival(destination: Destination): void {
  const arriving = useArrivingAt() === destination.selector;
  useEffect(() => {
    if (arriving) reach(destination);
  }, [arriving, destination]);
}
