import { createHash } from 'node:crypto';
import type { Books } from '../books.js';
import { DAY } from '../clock.js';
import { StripeError } from './stripe-error.js';

/** How long an answer is given again under its key, in seconds. */
const KEPT = DAY;

/** The answer to the first request with a key. */
export interface SavedAnswer {
  /** Account and key. */
  id: string;
  path: string;
  parametersHash: string;
  status: number;
  body: string;
  requestId: string;
  created: number;
}

/** Which requests with a key are under way, by account and key. */
const idOf = (books: Books, key: string) => `${books.account ?? ''} ${key}`;

/** The keys of requests: one acts once, and its answer is given to each later one. */
export class Idempotency {
  readonly #running = new Set<string>();

  /** The saved answer. Throws where the key is in use, or was used for something else. */
  find(books: Books, key: string, path: string, parameters: string): SavedAnswer | undefined {
    const id = idOf(books, key);
    const saved = books.world.store.find('_answer', id)?.value;
    const isKnown = saved !== undefined && saved.created > books.now - KEPT;
    if (isKnown && saved.path !== path)
      throw conflict(
        400,
        `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${saved.path}' vs '${path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    if (isKnown && saved.parametersHash !== hashOf(parameters))
      throw conflict(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    if (this.#running.has(id))
      throw conflict(
        409,
        'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through)',
        'idempotency_key_in_use',
      );
    return isKnown ? saved : undefined;
  }

  begin(books: Books, key: string): void {
    this.#running.add(idOf(books, key));
  }

  end(books: Books, key: string): void {
    this.#running.delete(idOf(books, key));
  }

  save(
    books: Books,
    key: string,
    parameters: string,
    answer: Pick<SavedAnswer, 'path' | 'status' | 'body' | 'requestId'>,
  ): void {
    books.put('_answer', {
      id: idOf(books, key),
      parametersHash: hashOf(parameters),
      created: books.now,
      ...answer,
    });
  }
}

const hashOf = (parameters: string) => createHash('sha256').update(parameters).digest('hex');

const conflict = (status: number, message: string, code?: string) =>
  new StripeError(status, { type: 'idempotency_error', message, ...(code && { code }) });
