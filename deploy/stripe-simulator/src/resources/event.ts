import { z } from 'zod';
import type { Books } from '../books.js';
import { withoutHidden } from '../http/encode.js';
import { endpoint, listed } from '../http/endpoint.js';
import { paging, text } from '../http/parameters.js';
import { missing } from '../http/stripe-error.js';
import { API_VERSION } from '../http/version.js';

export interface StripeEvent {
  id: string;
  object: 'event';
  account?: string;
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
  /** What is sent in its place: the thin event. */
  _thin?: ThinEvent;
}

/** An event of v2: it names an object, and says nothing of how it is. */
export interface ThinEvent {
  id: string;
  object: 'v2.core.event';
  context: string | null;
  created: string;
  livemode: false;
  reason: null;
  related_object: { id: string; type: string; url: string };
  type: string;
}

export function newEvent(books: Books, type: string, object: object, previous?: object): StripeEvent {
  return {
    id: books.newId('evt_'),
    object: 'event',
    ...(books.account === null ? {} : { account: books.account }),
    api_version: API_VERSION,
    created: books.now,
    data: { object: withoutHidden(object), ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: books.request ?? { id: null, idempotency_key: null },
    type,
  };
}

export function newThinEvent(books: Books, type: string, about: ThinEvent['related_object']): StripeEvent {
  const event = newEvent(books, type, {});
  const thin: ThinEvent = {
    id: event.id,
    object: 'v2.core.event',
    context: books.account,
    created: momentOf(event.created),
    livemode: false,
    reason: null,
    related_object: about,
    type,
  };
  return { ...event, _thin: thin };
}

/** A time in seconds as v2 writes it. */
export const momentOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

export const eventEndpoints = [
  endpoint('GET', '/v1/events/:id', {}, ({ books, id }) => {
    const event = books.get('event', id);
    if (event._thin) throw missing('event', id);
    return event;
  }),
  endpoint(
    'GET',
    '/v1/events',
    { ...paging, type: text.optional(), types: z.array(text).max(20).optional() },
    ({ books, parameters }) =>
      listed(
        books
          .all('event')
          .filter(({ type, _thin }) => !_thin && matches(parameters.type, type))
          .filter(({ type }) => !parameters.types || parameters.types.some((one) => matches(one, type))),
      ),
  ),
];

/** `customer.subscription.*` stands for all events that begin so. */
export function matches(wanted: string | undefined, type: string): boolean {
  if (wanted === undefined || wanted === '*') return true;
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
