import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { en } from '../i18n/en.js';
import { ApiError, NetworkError, errorText } from './api-error.js';

const FALLBACK = 'Failed to create post. Please try again.';
const textOf = (error: unknown) => errorText(error, FALLBACK, en);

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the text of a failed call', () => {
  it('blames the connection only where the browser has none', () => {
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    expect(textOf(new NetworkError('no answer'))).toBe(FALLBACK);
    onLine.mockReturnValue(false);
    expect(textOf(new NetworkError('no answer'))).toBe(en.app.offline);
    expect(textOf(new ApiError(500, 'internal', undefined))).toBe(FALLBACK);
  });

  it('is one of its own for too many requests and for a service that is down', () => {
    expect(textOf(new ApiError(429, 'too-many-requests', undefined))).toBe(en.app.tooManyRequests);
    expect(textOf(new ApiError(503, 'unavailable', undefined))).toBe(en.app.unavailable);
  });
});
