import type { Messages } from '../i18n/messages.js';
import type { Problem } from './types.js';

/** A call the gateway answered with a problem (RFC 9457). `code` is stable kebab-case, `fields` maps path → what is wrong there. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly fields: Record<string, { code: string; message: string }>;

  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string | undefined,
    errors: Problem['errors'] = [],
  ) {
    super(detail ?? code);
    this.fields = Object.fromEntries(errors.map(({ path, code, message }) => [path, { code, message }]));
  }
}

/** A call that got no answer: offline, refused, timed out. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** A call whose session was over when its answer came: what it failed for is no longer of interest. */
export class SessionOverError extends Error {
  override readonly name = 'SessionOverError';
}

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/**
 * The text a person reads for a failed call: a browser without network, 429 and 503 have texts of their own
 * (decisions 40), everything else, a server that does not answer too, is the error catalogue's `fallback` for that action.
 * Undefined where there is nothing to say: the end of a session is told once, for all of its calls.
 */
export function errorText(error: unknown, fallback: string, messages: Messages): string | undefined {
  if (error instanceof SessionOverError) return undefined;
  if (error instanceof NetworkError && !navigator.onLine) return messages.app.offline;
  if (error instanceof ApiError && error.status === 429) return messages.app.tooManyRequests;
  if (error instanceof ApiError && error.status === 503) return messages.app.unavailable;
  return fallback;
}

/**
 * What the server refused, by field of the request body: our text where its code has one, else the server's own. An entry
 * of a list ("specialties.2") counts for the whole field.
 */
export function fieldErrors(error: unknown, { validation }: Messages): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  if (error.code === 'username-taken') return { username: validation.usernameTaken };
  if (error.code === 'email-already-in-use') return { email: validation.emailTaken };
  const texts: Partial<Record<string, string>> = {
    'common-password': validation.passwordCommon,
    'format-character': validation.invisible,
  };
  return Object.fromEntries(
    Object.entries(error.fields).map(([path, { code, message }]) => [
      path.split('.', 1)[0],
      texts[code] ?? message,
    ]),
  );
}

/** Reads a failed answer; a body that is no problem document still has its status. */
export function apiErrorFrom(status: number, body: unknown): ApiError {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Partial<Problem>;
  return new ApiError(status, problem.code ?? `http-${status}`, problem.detail, problem.errors);
}
