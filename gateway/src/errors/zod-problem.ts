import { type FieldErrorCode, isFieldErrorCode } from '@pulso/contracts/field-errors';
import { MAX_REPORTED_ERRORS, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { type DomainError, type FieldError, validationFailed } from '@pulso/platform/errors/domain-error';
import { cutText } from '@pulso/platform/text/graphemes';
import { z } from 'zod';

/** Names of unknown fields are the client's own text: of any length, unless it is cut. */
const LONGEST_NAME = 64;

/**
 * A failed zod validation as `validation-failed`: dotted paths, stable codes, texts that never repeat the input. The
 * first `MAX_REPORTED_ERRORS` are told, and the others never looked at (HTTP-15).
 */
export function validationProblem(error: unknown): DomainError {
  if (!(error instanceof z.ZodError)) throw error;
  const told = error.issues.slice(0, MAX_REPORTED_ERRORS).flatMap(fieldErrors);
  return validationFailed(told.slice(0, MAX_REPORTED_ERRORS));
}

/** The text of a refused field where its schema has none of its own; zod's own texts name zod's terms. */
export function textOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'too_small') {
    return issue.origin === 'string' ? 'Must not be empty' : `Must be at least ${issue.minimum}`;
  }
  if (issue.code === 'too_big') {
    return `Must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
  }
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value') return undefined;
  if (issue.input === undefined) return VALIDATION_MESSAGES.required(String(issue.path?.at(-1) ?? 'body'));
  if (issue.code === 'invalid_value') return `Must be ${issue.values.join(' or ')}`;
  return issue.expected === 'int' ? 'Must be a whole number' : `Must be of type ${issue.expected}`;
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, MAX_REPORTED_ERRORS).map((key) => ({
        path: [...issue.path, cutText(key, LONGEST_NAME)].join('.'),
        message: 'Unknown field',
        code: 'unknown-field',
      }));
    case 'invalid_type':
      return [{ path, message: issue.message, code: typeCode(issue) }];
    case 'custom':
      return [{ path, message: issue.message, code: customCode(issue.params) }];
    case 'too_small':
      return [{ path, message: issue.message, code: 'too-small' }];
    case 'too_big':
      return [{ path, message: issue.message, code: issue.origin === 'string' ? 'too-long' : 'too-big' }];
    case 'invalid_value':
      return [
        { path, message: issue.message, code: issue.input === undefined ? 'required' : 'invalid-value' },
      ];
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return [{ path, message: issue.message, code: 'invalid-value' }];
  }
}

function customCode(params: Record<string, unknown> | undefined): FieldErrorCode {
  return isFieldErrorCode(params?.['code']) ? params['code'] : 'invalid-value';
}

function typeCode({ input, expected }: z.core.$ZodIssueInvalidType): FieldErrorCode {
  if (input === undefined) return 'required';
  return expected === 'int' ? 'invalid-step' : 'invalid-type';
}
