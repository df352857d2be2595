import { GENERAL_CODE, isPublished } from '@pulso/contracts/error-codes';
import { MAX_REPORTED_ERRORS } from '@pulso/contracts/limits';
import { DomainError, type FieldError } from '@pulso/platform/errors/domain-error';
import { HTTP_STATUS } from '@pulso/platform/errors/http-status';
import { errorEntry, type HttpErrorCode } from './error-table.js';
import { HttpProblem } from './http-problem.js';

/** RFC 9457, with our `code`, `requestId` and, for validation, `errors`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: HttpErrorCode;
  requestId: string;
  errors?: FieldError[];
  /** `detail` again, under `/api/stripe`. */
  error?: string;
}

export interface ProblemAnswer {
  problem: Problem;
  headers: Record<string, string>;
  /** An error of ours: to be logged. */
  unexpected: boolean;
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

const INTERNAL = 'Something went wrong. Please try again.';

/** Our code and text for each status that Fastify, Nest or Node refuse with: theirs are not part of the API. */
const FOREIGN: Readonly<Record<number, { code: HttpErrorCode; detail: string }>> = {
  400: { code: 'bad-request', detail: 'The request is not well-formed.' },
  404: { code: 'not-found', detail: 'Not found' },
  405: { code: 'method-not-allowed', detail: 'The method is not allowed here.' },
  408: { code: 'request-timeout', detail: 'The request took too long to arrive.' },
  413: { code: 'payload-too-large', detail: 'The body is larger than allowed.' },
  414: { code: 'not-found', detail: 'Not found' },
  415: { code: 'unsupported-media-type', detail: 'The body must be application/json.' },
  431: { code: 'headers-too-large', detail: 'The headers are larger than allowed.' },
  503: { code: 'unavailable', detail: 'Pulso is busy. Please try again.' },
};

/** Turns anything thrown into the problem to answer with; what is unexpected answers as `internal` without its text. */
export function problemOf(error: unknown, requestId: string): ProblemAnswer {
  if (error instanceof DomainError) return ofDomainError(error, requestId);
  if (error instanceof HttpProblem) {
    return answer(error.code, error.status, error.message, requestId, { ...error.headers });
  }
  const foreign = FOREIGN[foreignStatus(error) ?? 500];
  if (!foreign) return { ...answer('internal', 500, INTERNAL, requestId), unexpected: true };
  return answer(foreign.code, errorEntry(foreign.code).status, foreign.detail, requestId);
}

/** Clients of the payment calls read a problem's text in `error` (SUBS-21). */
export function withErrorText(problem: Problem, url: string | undefined): Problem {
  return url?.startsWith('/api/stripe/') ? { ...problem, error: problem.detail } : problem;
}

function ofDomainError(error: DomainError, requestId: string): ProblemAnswer {
  const status = HTTP_STATUS[error.kind];
  if (status === 500) return { ...answer('internal', 500, INTERNAL, requestId), unexpected: true };
  const code = isPublished(error.code) ? error.code : GENERAL_CODE[error.kind];
  const headers: Record<string, string> = {};
  if (status === 429 || status === 503) headers['retry-after'] = String(error.details.retryAfter ?? 1);
  if (code === 'not-authenticated') headers['www-authenticate'] = 'Bearer';
  if (code === 'user-token-expired') headers['www-authenticate'] = 'Bearer error="invalid_token"';
  return answer(code, status, error.message, requestId, headers, error.details.errors);
}

function foreignStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode, status } = error as { statusCode?: unknown; status?: unknown };
  if (typeof statusCode === 'number') return statusCode;
  return typeof status === 'number' ? status : undefined;
}

function answer(
  code: HttpErrorCode,
  status: number,
  detail: string,
  requestId: string,
  headers: Record<string, string> = {},
  errors?: FieldError[],
): ProblemAnswer {
  const { title } = errorEntry(code);
  const type = `/api/docs#error-${code}`;
  const told = errors && { errors: errors.slice(0, MAX_REPORTED_ERRORS) };
  const problem: Problem = { type, title, status, detail, code, requestId, ...told };
  if (status === 503 && !headers['retry-after']) headers['retry-after'] = '1';
  return { problem, headers, unexpected: false };
}
