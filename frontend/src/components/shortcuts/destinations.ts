import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';

/** What a shortcut leads to from anywhere: where it is, and the page that always has it. */
export const SEARCH = { selector: '[data-search]', page: '/coaches' } as const;
export const PUBLISHER = { selector: '[data-publisher]', page: '/feed' } as const;

type Destination = typeof SEARCH | typeof PUBLISHER;

/** Focuses it, or presses it where it is the button that opens it. False when the page has none. */
export function reach({ selector }: Destination): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  if (element instanceof HTMLButtonElement) element.click();
  return element !== null;
}

/** Reaches it on this page, or on the page that has it. */
export function useGoTo(): (destination: Destination) => void {
  const navigate = useNavigate();
  return (destination) => {
    if (reach(destination)) return;
    void navigate(destination.page, { state: { arriveAt: destination.selector } });
  };
}

/** Where a shortcut that brought us to this page wants to be; undefined for any other way here, back and reload included. */
export function useArrivingAt(): string | undefined {
  const state = useLocation().state as { arriveAt?: string } | null;
  return useNavigationType() === 'POP' ? undefined : state?.arriveAt;
}

/** For the page that has it: goes there when a shortcut has led here. */
export function useArrival(destination: Destination): void {
  const arriving = useArrivingAt() === destination.selector;
  useEffect(() => {
    if (arriving) reach(destination);
  }, [arriving, destination]);
}
