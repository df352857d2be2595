import createClient from 'openapi-fetch';
import { ApiError, NetworkError, SessionOverError, apiErrorFrom } from '../http/api-error.js';
import type { paths } from '../../api/schema.js';
import { session, viewerId } from '../session/session.js';
import { withEarlyAnswers } from './early-answers.js';
import { sendAgain } from './send-again.js';
import { origin, send } from './send.js';

/** The gateway's API, typed from its OpenAPI document, on the same origin. */
export const client = createClient<paths>({
  baseUrl: origin,
  fetch: withEarlyAnswers(sendAgain(send, session)),
});

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * The body of a successful answer.
 * @throws ApiError when the gateway answered with a problem, NetworkError when there was no answer, SessionOverError
 * instead of both when the caller is no longer the viewer; then the call may not have been sent.
 */
export async function unwrap<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const caller = viewerId();
  try {
    return await bodyOf(call);
  } catch (cause) {
    if (caller !== undefined && viewerId() !== caller) throw new SessionOverError('session over', { cause });
    throw cause;
  }
}

async function bodyOf<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  let answer: Answer<Data>;
  try {
    answer = await call;
  } catch (cause) {
    if (cause instanceof ApiError || cause instanceof SessionOverError) throw cause;
    throw new NetworkError('no answer', { cause });
  }
  const { ok, status, headers } = answer.response;
  if (!ok) throw apiErrorFrom(status, answer.error, headers.get('Retry-After'));
  return answer.data as Data;
}
