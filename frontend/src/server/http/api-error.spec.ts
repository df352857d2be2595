import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { texts } from '../../i18n/texts.js';
import {
  ApiError,
  NetworkError,
  SessionOverError,
  apiErrorFrom,
  errorText,
  refusedFields,
} from './api-error.js';

const FALLBACK = 'Failed to create post. Please try again.';
const textOf = (error: unknown) => errorText(error, FALLBACK, texts.en);

afterEach(() => {
  jest.restoreAllMocks();
});

// Rule: UI-37
describe('the text of a failed call', () => {
  it('blames the connection only where the browser has none', () => {
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    expect(textOf(new NetworkError('no answer'))).toBe(FALLBACK);
    onLine.mockReturnValue(false);
    expect(textOf(new NetworkError('no answer'))).toBe(texts.en.app.offline);
    expect(textOf(new ApiError(500, 'internal', undefined))).toBe(FALLBACK);
  });

  it('is one of its own for too many requests and for a service that is down', () => {
    expect(textOf(new ApiError(429, 'too-many-requests', undefined))).toBe(texts.en.app.tooManyRequests);
    expect(textOf(new ApiError(503, 'unavailable', undefined))).toBe(texts.en.app.unavailable);
  });

  // Rule: UI-40
  it('is one of its own where nobody is signed in, and where the answer is not the gateway’s', () => {
    expect(textOf(new ApiError(401, 'not-authenticated', undefined))).toBe('Not authenticated');
    expect(textOf(apiErrorFrom(502, '<html>Bad gateway</html>'))).toBe('Request failed: 502.');
    expect(textOf(apiErrorFrom(500, { code: 'internal' }))).toBe(FALLBACK);
  });

  it('is none where the session was over', () =>
    expect(textOf(new SessionOverError('session over'))).toBeUndefined());
});

describe('what the server refused', () => {
  it.each(['name', 'name.2'])('is told for the whole field: %s', (path) => {
    const error = new ApiError(400, 'invalid-argument', undefined, [
      { path, code: 'too-long', message: 'The server’s' },
    ]);
    expect(refusedFields(error)).toEqual({ name: 'The server’s' });
  });

  it('is nothing without an answer', () => expect(refusedFields(new NetworkError('no answer'))).toEqual({}));
});
