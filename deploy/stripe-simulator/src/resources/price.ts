import { z } from 'zod';
import type { Books } from '../books.js';
import { endpoint, listed } from '../http/endpoint.js';
import { currency, flag, integer, mergeMetadata, metadata, paging, text } from '../http/parameters.js';
import { invalid } from '../http/stripe-error.js';

export interface Product {
  id: string;
  object: 'product';
  active: boolean;
  created: number;
  default_price: null;
  description: string | null;
  images: string[];
  livemode: false;
  marketing_features: never[];
  metadata: Record<string, string>;
  name: string;
  package_dimensions: null;
  shippable: null;
  statement_descriptor: string | null;
  tax_code: null;
  type: 'service';
  unit_label: string | null;
  updated: number;
  url: null;
}

export interface Price {
  id: string;
  object: 'price';
  active: boolean;
  billing_scheme: 'per_unit';
  created: number;
  currency: string;
  custom_unit_amount: null;
  livemode: false;
  lookup_key: string | null;
  metadata: Record<string, string>;
  nickname: string | null;
  product: string;
  recurring: {
    interval: 'day' | 'week' | 'month' | 'year';
    interval_count: number;
    meter: null;
    trial_period_days: null;
    usage_type: 'licensed';
  };
  tax_behavior: 'unspecified' | 'inclusive' | 'exclusive';
  tiers_mode: null;
  transform_quantity: null;
  type: 'recurring';
  unit_amount: number;
  unit_amount_decimal: string;
}

const productShape = {
  active: flag.optional(),
  id: text.optional(),
  metadata: metadata.optional(),
  name: text,
  statement_descriptor: text.optional(),
  unit_label: text.optional(),
};

function createProduct(
  books: Books,
  {
    metadata: own,
    id,
    description,
    ...fields
  }: z.output<z.ZodObject<typeof productShape>> & { description?: string },
): Product {
  if (id !== undefined && books.find('product', id))
    throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' });
  const product = books.put('product', {
    id: id ?? books.newId('prod_', 14),
    object: 'product',
    active: true,
    created: books.now,
    default_price: null,
    description: description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, own),
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    type: 'service',
    unit_label: null,
    updated: books.now,
    url: null,
    ...fields,
  });
  books.emit('product.created', product);
  return product;
}

const priceShape = {
  active: flag.optional(),
  currency,
  lookup_key: text.max(200).optional(),
  metadata: metadata.optional(),
  nickname: text.optional(),
  product: text.optional(),
  product_data: z.strictObject(productShape).optional(),
  recurring: z.strictObject({
    interval: z.enum(['day', 'week', 'month', 'year']),
    interval_count: integer.optional(),
    usage_type: z.literal('licensed').optional(),
  }),
  tax_behavior: z.enum(['unspecified', 'inclusive', 'exclusive']).optional(),
  transfer_lookup_key: flag.optional(),
  unit_amount: integer,
};

/** A lookup key names one price: another one loses it where that is asked for. */
function takeLookupKey(books: Books, key: string | undefined, mayTransfer: boolean, self?: string): void {
  const other = key && books.all('price').find((price) => price.lookup_key === key && price.id !== self);
  if (!other) return;
  if (!mayTransfer)
    throw invalid(`A price (\`${other.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
  books.put('price', { ...other, lookup_key: null });
}

function createPrice(books: Books, parameters: z.output<z.ZodObject<typeof priceShape>>): Price {
  const { product, product_data: data, recurring, unit_amount: amount, lookup_key: key } = parameters;
  if ((product === undefined) === (data === undefined))
    throw invalid('You must provide exactly one of `product` or `product_data`.', { param: 'product' });
  if (amount < 1) throw invalid('The simulator has no free prices.', { param: 'unit_amount' });
  takeLookupKey(books, key, parameters.transfer_lookup_key ?? false);
  const price = books.put('price', {
    id: books.newId('price_'),
    object: 'price',
    active: parameters.active ?? true,
    billing_scheme: 'per_unit',
    created: books.now,
    currency: parameters.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: key ?? null,
    metadata: mergeMetadata({}, parameters.metadata),
    nickname: parameters.nickname ?? null,
    product: data ? createProduct(books, data).id : books.get('product', product!, 'product').id,
    recurring: {
      interval: recurring.interval,
      interval_count: recurring.interval_count ?? 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: parameters.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  });
  books.emit('price.created', price);
  return price;
}

export const priceEndpoints = [
  endpoint(
    'POST',
    '/v1/products',
    { ...productShape, description: text.optional() },
    ({ books, parameters }) => createProduct(books, parameters),
  ),
  endpoint('GET', '/v1/products/:id', {}, ({ books, id }) => books.get('product', id)),
  endpoint(
    'GET',
    '/v1/products',
    { ...paging, active: flag.optional(), ids: z.array(text).optional() },
    ({ books, parameters: { active, ids } }) =>
      listed(
        books
          .all('product')
          .filter((one) => (active === undefined || one.active === active) && (!ids || ids.includes(one.id))),
      ),
  ),
  endpoint(
    'POST',
    '/v1/products/:id',
    {
      active: flag.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
      name: text.optional(),
    },
    ({ books, id, parameters: { metadata: change, ...fields } }) => {
      const before = books.get('product', id);
      const product = books.put('product', {
        ...before,
        ...fields,
        metadata: mergeMetadata(before.metadata, change),
        updated: books.now,
      });
      books.emit('product.updated', product, {});
      return product;
    },
  ),
  endpoint('POST', '/v1/prices', priceShape, ({ books, parameters }) => createPrice(books, parameters)),
  endpoint('GET', '/v1/prices/:id', {}, ({ books, id }) => books.get('price', id)),
  endpoint(
    'GET',
    '/v1/prices',
    {
      ...paging,
      active: flag.optional(),
      currency: currency.optional(),
      lookup_keys: z.array(text).max(10).optional(),
      product: text.optional(),
      type: z.enum(['recurring', 'one_time']).optional(),
    },
    ({ books, parameters: { active, currency: wanted, lookup_keys: keys, product, type } }) =>
      listed(
        books
          .all('price')
          .filter(
            (one) =>
              (active === undefined || one.active === active) &&
              (wanted === undefined || one.currency === wanted) &&
              (!keys || (one.lookup_key !== null && keys.includes(one.lookup_key))) &&
              (product === undefined || one.product === product) &&
              type !== 'one_time',
          ),
      ),
  ),
  endpoint(
    'POST',
    '/v1/prices/:id',
    {
      active: flag.optional(),
      lookup_key: text.max(200).optional(),
      metadata: metadata.optional(),
      nickname: text.optional(),
      transfer_lookup_key: flag.optional(),
    },
    ({ books, id, parameters: { metadata: change, transfer_lookup_key: mayTransfer, ...fields } }) => {
      const before = books.get('price', id);
      takeLookupKey(books, fields.lookup_key, mayTransfer ?? false, id);
      const price = books.put('price', {
        ...before,
        ...fields,
        metadata: mergeMetadata(before.metadata, change),
      });
      books.emit('price.updated', price, {});
      return price;
    },
  ),
];
