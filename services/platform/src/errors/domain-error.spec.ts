import { type ErrorKind, GENERAL_CODE, kindOf, PUBLISHED_ERRORS } from '@pulso/contracts/error-codes';
import {
  DomainError,
  notAuthenticated,
  notFound,
  permissionDenied,
  tokenExpired,
  unavailable,
  validationFailed,
} from './domain-error.js';
import { CONNECT_CODE } from './connect-code-of-kind.js';
import { HTTP_STATUS } from './http-status.js';

describe('error kinds', () => {
  it('are the same in both tables', () => {
    expect(Object.keys(CONNECT_CODE).sort()).toEqual(Object.keys(HTTP_STATUS).sort());
  });

  it.each(Object.entries(HTTP_STATUS))(
    '%s is the client error or server error it should be',
    (kind, code) => {
      const ours = ['unavailable', 'deadline-exceeded', 'internal'].includes(kind);
      expect(code >= 500).toBe(ours);
      expect(code).toBeLessThan(600);
      expect(code).toBeGreaterThanOrEqual(400);
    },
  );

  it('never have the code unknown or canceled', () => {
    for (const code of Object.values(CONNECT_CODE)) {
      expect(['unknown', 'canceled']).not.toContain(code);
    }
  });

  // Rule: HTTP-14
  it('have the HTTP statuses of the API', () => {
    expect(HTTP_STATUS).toEqual({
      'invalid-argument': 400,
      unauthenticated: 401,
      'payment-required': 402,
      'permission-denied': 403,
      'not-found': 404,
      conflict: 409,
      'payload-too-large': 413,
      unprocessable: 422,
      'too-many-requests': 429,
      unavailable: 503,
      'deadline-exceeded': 503,
      internal: 500,
    });
  });
});

describe('error codes', () => {
  it('are a closed set: a typo does not compile', () => {
    // @ts-expect-error -- not in the table
    expect(() => new DomainError('usernametaken', 'This username is already taken.').kind).not.toThrow();
  });

  it('have published texts', () => {
    for (const { title, meaning } of Object.values(PUBLISHED_ERRORS)) {
      expect(title).toMatch(/^[A-Z]/);
      expect(meaning).toMatch(/\.$/);
    }
  });

  it.each(Object.entries(GENERAL_CODE))('a client sees %s as %s', (kind, code) => {
    const asked = kind as ErrorKind;
    expect(kindOf(code)).toBe(asked === 'deadline-exceeded' ? 'unavailable' : asked);
  });
});

describe('common errors', () => {
  it.each([
    [notFound(), 'not-found', 'not-found'],
    [permissionDenied(), 'permission-denied', 'permission-denied'],
    [notAuthenticated(), 'unauthenticated', 'not-authenticated'],
    [tokenExpired(), 'unauthenticated', 'user-token-expired'],
    [unavailable(), 'unavailable', 'unavailable'],
  ])('%s', (error, kind, code) => {
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ kind, code });
    expect(error.message).not.toBe('');
  });

  it('of validation have the message of their first field by default', () => {
    const fields = [
      { path: 'name', message: 'Name is required', code: 'required' as const },
      { path: 'bio', message: 'Too long', code: 'too-long' as const },
    ];
    expect(validationFailed(fields)).toMatchObject({
      kind: 'invalid-argument',
      code: 'validation-failed',
      message: 'Name is required',
      details: { errors: fields },
    });
    expect(validationFailed(fields, 'Check the form').message).toBe('Check the form');
    expect(validationFailed([]).message).toBe('Invalid input');
  });
});
