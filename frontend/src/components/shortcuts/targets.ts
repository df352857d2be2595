import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';

/** What a key goes to: its selector, and the page that always contains it. */
export interface Target {
  key: string;
  selector: string;
  page: string;
}

/** The directory's field; elsewhere signed-in users search people. */
export const SEARCH: Target = { key: '/', selector: '[data-search]', page: '/coaches' };
export const PUBLISHER: Target = { key: 'n', selector: '[data-publisher]', page: '/feed' };

/** Focuses the target, and clicks it when it is the button that opens it. False when this page does not contain it. */
export function reach({ selector }: Target): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  // What a button opens covers the page, which then stays where it is.
  const opens = element instanceof HTMLButtonElement;
  element?.focus({ preventScroll: opens });
  if (opens) element.click();
  return element !== null;
}

/** Goes to the target on this page, otherwise on the page that contains it. */
export function useGoTo(): (target: Target) => void {
  const navigate = useNavigate();
  return (target) => {
    if (reach(target)) return;
    void navigate(target.page, { state: { arriveAt: target.selector } });
  };
}

/** The target of the shortcut that led to this page; undefined after any other navigation, also Back and reload. */
export function useArrivingAt(): string | undefined {
  const state = useLocation().state as { arriveAt?: string } | null;
  return useNavigationType() === 'POP' ? undefined : state?.arriveAt;
}

/** For the page that contains the target: goes to it when a shortcut led here. */
export function useArrival(target: Target): void {
  const arriving = useArrivingAt() === target.selector;
  useEffect(() => {
    if (arriving) reach(target);
  }, [arriving, target]);
}
