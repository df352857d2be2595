import { act } from '@testing-library/react';

/** Back from another site, where the browser has kept the page as it was left. */
export const comeBack = (): void =>
  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
