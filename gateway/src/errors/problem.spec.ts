import { type ErrorCode, INTERNAL_ERRORS } from '@pulso/contracts/error-codes';
import { MAX_REPORTED_ERRORS } from '@pulso/contracts/limits';
import { DomainError, validationFailed } from '@pulso/platform/errors/domain-error';
import { ERROR_CODES, errorEntry } from './error-table.js';
import { problemOf } from './problem.js';

const asProblem = (code: ErrorCode) =>
  problemOf(new DomainError(code, 'Said by a service'), 'request').problem;

describe('problems', () => {
  it.each([
    ['username-taken', 409, 'username-taken'],
    ['cancelled', 503, 'unavailable'],
    ['deadline-exceeded', 503, 'unavailable'],
    ['already-resolved', 409, 'conflict'],
    ['target-required', 422, 'unprocessable'],
  ] as const)('say %s as %i %s', (code, status, published) => {
    expect(asProblem(code)).toMatchObject({ status, code: published, title: errorEntry(published).title });
  });

  it('never name a code that the table does not publish', () => {
    for (const code of Object.keys(INTERNAL_ERRORS) as ErrorCode[]) {
      expect(ERROR_CODES).not.toContain(code);
      expect(ERROR_CODES).toContain(asProblem(code).code);
    }
  });

  it('tell the first of many errors of a service', () => {
    const errors = Array.from({ length: 1_000 }, (_, index) => ({
      path: `images.${index}`,
      message: 'Said by a service',
      code: 'invalid-value' as const,
    }));
    const { problem } = problemOf(validationFailed(errors), 'request');
    expect(problem.errors).toEqual(errors.slice(0, MAX_REPORTED_ERRORS));
    expect(problemOf(validationFailed(errors.slice(0, 1)), 'request').problem.errors).toHaveLength(1);
  });
});
