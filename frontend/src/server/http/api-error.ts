import type { Texts } from '../../i18n/texts.js';
import type { Problem } from '../../api/types.js';

/** A newer gateway may send codes that this page does not know. */
interface FieldError {
  path: string;
  code: string;
  message: string;
}

/** A problem of the gateway (RFC 9457). `code` is stable kebab-case; `fields` has the refused fields by path. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly fields: Record<string, { code: string; message: string }>;

  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string | undefined,
    errors: readonly FieldError[] = [],
    /** For how many seconds the server takes no such call, where it says so. */
    readonly retryAfter?: string | null,
  ) {
    super(detail ?? code);
    this.fields = Object.fromEntries(errors.map(({ path, code, message }) => [path, { code, message }]));
  }
}

/** The code of an answer that is no problem document. */
const noProblem = (status: number) => `http-${status}`;

/** A call without an answer: offline, connection refused, timeout. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** The session ended before the answer arrived, so the answer no longer concerns this viewer. */
export class SessionOverError extends Error {
  override readonly name = 'SessionOverError';
}

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);

/** Whether a call failed while the browser has no network. To be asked at once: it may come back. */
export const isOffline = (error: unknown): boolean => error instanceof NetworkError && !navigator.onLine;

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

export const isNotFound = (error: unknown): boolean => hasStatus(error, 404);

/** Whether the same call may succeed a little later: it got no answer, a 5xx, a refused token, a conflict or a rate limit. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status >= 500 || [401, 409, 429].includes(error.status)
    : !(error instanceof SessionOverError);

/**
 * The text for a failed call: no network, 429 and 503 have their own (UI-37), as has an answer that says
 * nothing (UI-40); anything else, also a server that does not answer, gets the action's `fallback` of the texts of failures. Undefined when the session ended, which is told
 * once for all calls.
 */
export function errorText(error: unknown, fallback: string, texts: Texts): string | undefined {
  if (error instanceof SessionOverError) return undefined;
  if (isOffline(error)) return texts.app.offline;
  if (error instanceof ApiError && error.status === 429) return texts.app.tooManyRequests;
  if (error instanceof ApiError && error.status === 503) return texts.app.unavailable;
  if (hasCode(error, 'not-authenticated')) return texts.app.notAuthenticated;
  // An answer of something before the gateway: it has no problem document.
  if (error instanceof ApiError && error.code === noProblem(error.status))
    return texts.app.requestFailed(error.status);
  return fallback;
}

/** What the server refused, by field of the request body, in its words. An entry of a list ("specialties.2") counts for the whole field. */
export function refusedFields(error: unknown): Record<string, string> {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  return Object.fromEntries(fields.map(([path, { message }]) => [path.split('.', 1)[0], message]));
}

/** Why the server refused a field; undefined where it named none, or another one. */
export const refusalOf = (error: unknown, field: string): string | undefined => refusedFields(error)[field];

/** The error of a failed answer, also when its body is not a problem document. */
export function apiErrorFrom(status: number, body: unknown, retryAfter?: string | null): ApiError {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Partial<Problem>;
  return new ApiError(status, problem.code ?? noProblem(status), problem.detail, problem.errors, retryAfter);
}
