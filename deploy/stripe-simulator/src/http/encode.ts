import type { Books } from '../books.js';
import { kindOf } from '../kinds.js';
import { invalid } from './stripe-error.js';

type Json = Record<string, unknown>;

/** How deep Stripe follows a path of `expand`. */
const DEEPEST = 4;

/** An object as it is sent: names with `_` are the simulator's own. */
export function withoutHidden(value: object): Json {
  return strip(value) as Json;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !name.startsWith('_'))
      .map(([name, inner]) => [name, strip(inner)]),
  );
}

/** The object with each path of `expand`, such as `latest_invoice.payments`, in place of the id there. */
export function expanded(value: object, paths: readonly string[], books: Books): Json {
  const answer = withoutHidden(value);
  for (const path of paths) {
    const parts = path.split('.');
    const depth = parts[0] === 'data' && answer.object === 'list' ? parts.length - 1 : parts.length;
    if (depth > DEEPEST)
      throw invalid(`You cannot expand more than ${DEEPEST} levels of a property. Property: ${path}`, {
        param: 'expand',
      });
    expandIn(answer, parts, path, books);
  }
  return answer;
}

function expandIn(target: Json, [part, ...rest]: readonly string[], path: string, books: Books): void {
  if (part === undefined) return;
  const inner = Object.hasOwn(target, part) ? target[part] : included(target, part, books);
  if (inner === undefined) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
  if (inner === null) return;
  if (Array.isArray(inner)) {
    if (part !== 'data') throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
    for (const item of inner) expandIn(item as Json, rest, path, books);
    return;
  }
  if (typeof inner === 'string') {
    const kind = kindOf(inner);
    const found = kind && (books.find(kind, inner) ?? books.of(null).find(kind, inner));
    if (!found) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
    target[part] = withoutHidden(found);
  } else if (typeof inner !== 'object') {
    throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
  } else {
    target[part] = inner;
  }
  expandIn(target[part] as Json, rest, path, books);
}

/** Lists that an object has only where they are asked for. */
function included(target: Json, part: string, books: Books): Json | undefined {
  const list = (data: object[], url: string): Json => ({
    object: 'list',
    data: data.map(withoutHidden),
    has_more: false,
    url,
  });
  const id = String(target.id);
  switch (`${String(target.object)}.${part}`) {
    case 'invoice.payments':
      return list(
        books.all('invoice_payment').filter(({ invoice }) => invoice === id),
        '/v1/invoice_payments',
      );
    case 'charge.refunds':
      return list(
        books.all('refund').filter(({ charge }) => charge === id),
        `/v1/charges/${id}/refunds`,
      );
    case 'customer.subscriptions':
      return list(
        books.all('subscription').filter(({ customer, status }) => customer === id && status !== 'canceled'),
        `/v1/customers/${id}/subscriptions`,
      );
    case 'checkout.session.line_items': {
      const session = books.get('checkout.session', id);
      const price = books.get('price', session._price);
      return list(
        [
          {
            id: `li_${id.slice(-14)}`,
            object: 'item',
            amount_discount: 0,
            amount_subtotal: session.amount_subtotal,
            amount_tax: 0,
            amount_total: session.amount_total,
            currency: session.currency,
            description: null,
            price,
            quantity: session._quantity,
          },
        ],
        `/v1/checkout/sessions/${id}/line_items`,
      );
    }
    default:
      return undefined;
  }
}
