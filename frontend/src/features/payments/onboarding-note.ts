import { tryStorage } from '../../browser/try-storage.js';

const STORAGE_KEY = 'pulso.onboarding';

/** That this tab has led a coach to the provider's form. In the tab's sessionStorage, which outlives the provider's pages. */
export const noteOnboarding = (coachId: string): void =>
  void tryStorage(() => sessionStorage.setItem(STORAGE_KEY, coachId));

export const hasNotedOnboarding = (coachId: string): boolean =>
  tryStorage(() => sessionStorage.getItem(STORAGE_KEY)) === coachId;

export const forgetOnboarding = (): void => void tryStorage(() => sessionStorage.removeItem(STORAGE_KEY));
