import fc from 'fast-check';
import { Query } from 'mingo';
import type { Collection, Document, IndexSpecification } from 'mongodb';
import { type StoreUnderTest, startStoreUnderTest } from './store-under-test.js';

/**
 * Random documents, indexes and queries against an oracle without indexes: mingo over plain values, which agrees with
 * MongoDB on the types used here, and a full sort.
 */
const RUNS = Number(process.env['DOCUMENT_STORE_ORACLE_RUNS'] ?? 60);
/** Added to every test's seed. */
const SEED = Number(process.env['DOCUMENT_STORE_ORACLE_SEED'] ?? 0);

let store: StoreUnderTest;
beforeAll(async () => {
  store = await startStoreUnderTest();
});
afterAll(() => store?.stop());

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.5, -1.5, 2 ** 40),
  fc.constantFrom('', 'a', 'b', 'ab'),
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: 0, max: 4 }).map((ms) => new Date(ms)),
);
const field = fc.constantFrom('a', 'b', 'c');
const direction = fc.constantFrom(1 as const, -1 as const);

const document = fc.record({ a: scalar, b: scalar, c: scalar }, { requiredKeys: [] });
/** At most one array, because an index over two is refused, also by MongoDB. */
const withArrays = fc
  .tuple(document, fc.option(fc.tuple(field, fc.array(scalar, { maxLength: 3 }))))
  .map(([plain, array]): Document => (array ? { ...plain, [array[0]]: array[1] } : plain));

const comparable = scalar.filter((value) => value !== null);
const condition = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 2, arbitrary: fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ $nin: fc.array(scalar, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ $ne: scalar }) },
  { weight: 2, arbitrary: fc.record({ $gt: comparable }) },
  { weight: 2, arbitrary: fc.record({ $gte: comparable, $lt: comparable }) },
  { weight: 2, arbitrary: fc.record({ $lte: comparable }) },
  { weight: 1, arbitrary: fc.record({ $exists: fc.boolean() }) },
);
const filter = fc.dictionary(field, condition, { maxKeys: 3 });
const key = fc.dictionary(field, direction, { minKeys: 1, maxKeys: 3 });
/** Sometimes ends with `_id` for a total order: only then can an index serve it. */
const orderedKey = fc
  .tuple(key, fc.option(direction, { nil: undefined }))
  .map(([fields, id]): Record<string, 1 | -1> => (id ? { ...fields, _id: id } : fields));
const index = fc.record({ key: orderedKey, options: fc.constantFrom({}, { sparse: true }) });
const query = fc.record({
  filter,
  sort: fc
    .tuple(fc.dictionary(field, direction, { maxKeys: 2 }), direction)
    .map(([fields, id]) => ({ ...fields, _id: id })),
  limit: fc.integer({ min: 0, max: 8 }),
  projection: fc.option(
    fc.record(
      { a: fc.constant(1), b: fc.constant(1), _id: fc.constantFrom(0, 1) },
      { requiredKeys: ['_id'] },
    ),
    { nil: undefined },
  ),
});

type Row = Document & { _id: number };

/** The value of an empty array, which sorts before null. */
const EMPTY = Symbol('empty array');

function rankOf(value: unknown): number {
  if (value === EMPTY) return -1;
  if (value === undefined || value === null) return 0;
  return ['number', 'string', 'boolean', 'object'].indexOf(typeof value) + 1;
}

function compare(a: unknown, b: unknown): number {
  const byRank = rankOf(a) - rankOf(b);
  if (byRank !== 0 || rankOf(a) <= 0) return byRank;
  return (a as number) < (b as number) ? -1 : Number((a as number) > (b as number));
}

/** The sort value of a field: the smallest element of an array, or its greatest in descending order. */
function sortValue(value: unknown, way: number): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length === 0) return EMPTY;
  return value.toSorted((a, b) => compare(a, b) * way)[0] as unknown;
}

function expectedOf(rows: Row[], { filter, sort, limit }: Document): Row[] {
  const matcher = new Query(filter as Document);
  const found = rows.filter((row) => matcher.test(row));
  const order = Object.entries(sort as Record<string, number>);
  found.sort((a, b) => {
    for (const [name, way] of order) {
      const difference = compare(sortValue(a[name], way), sortValue(b[name], way));
      if (difference !== 0) return difference * way;
    }
    return 0;
  });
  return found.slice(0, limit ? Number(limit) : undefined);
}

/** What a projection leaves of a row: an `_id` of 0 alone leaves the others. */
function picked(row: Row, projection: Document | undefined): Document {
  if (!projection) return row;
  const { _id: id, ...others } = projection;
  const names = Object.keys(others);
  const isKept = (name: string) =>
    name === '_id' ? id === 1 : names.length === 0 ? id === 0 : names.includes(name);
  return Object.fromEntries(Object.entries(row).filter(([name]) => isKept(name)));
}

async function fill(
  rows: Document[],
  indexes: { key: Document; options: Document }[],
  indexFirst: boolean,
): Promise<Collection<Row>> {
  await store.db.dropDatabase();
  const collection = store.db.collection<Row>('rows');
  const create = async (): Promise<void> => {
    for (const [at, { key, options }] of indexes.entries()) {
      await collection
        .createIndex(key as IndexSpecification, { ...options, name: `i${at}` })
        .catch((error: Document) => {
          // Two indexes with the same key under different names.
          if (error['code'] !== 85) throw error as unknown as Error;
        });
    }
  };
  if (indexFirst) await create();
  if (rows.length > 0) await collection.insertMany(rows.map((row, _id) => ({ ...row, _id })));
  if (!indexFirst) await create();
  return collection;
}

test('finds, sorts, limits and counts like a full scan, also over arrays', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(withArrays, { maxLength: 40 }),
      fc.array(index, { maxLength: 3 }),
      fc.boolean(),
      fc.array(query, { minLength: 8, maxLength: 12 }),
      async (documents, indexes, indexFirst, queries) => {
        const collection = await fill(documents, indexes, indexFirst);
        const rows = documents.map((row, _id): Row => ({ ...row, _id }));
        for (const one of queries) {
          const { filter: wanted, ...options } = one;
          const found = await collection.find(wanted as Document, { ...options, batchSize: 3 }).toArray();
          expect(found).toEqual(expectedOf(rows, one).map((row) => picked(row, one.projection)));
          const all = expectedOf(rows, { ...one, limit: 0 });
          expect(await collection.countDocuments(one.filter as Document)).toBe(all.length);
          const unsorted = await collection.find(one.filter as Document).toArray();
          expect(unsorted.map(({ _id }) => _id).toSorted((a, b) => a - b)).toEqual(
            all.map(({ _id }) => _id).toSorted((a, b) => a - b),
          );
        }
      },
    ),
    { numRuns: RUNS, seed: 20_261_120 + SEED },
  );
});

const few = fc.constantFrom(0, 1, 2, 'a');
const fewRange = fc.oneof(
  fc.record({ $gt: fc.constantFrom(0, 1) }),
  fc.record({ $lte: fc.constantFrom(0, 1, 2) }),
  fc.record({ $gte: fc.constantFrom(0, 1), $lt: fc.constantFrom(1, 2, 3) }),
);
const point = fc.oneof(few, fc.record({ $in: fc.array(few, { maxLength: 3 }) }));

/** An index on (a, b, c, _id), and a query that one of its orders serves: fixed fields, then the sort. */
const served = fc
  .record({
    directions: fc.tuple(direction, direction, direction, direction),
    fixed: fc.integer({ min: 0, max: 3 }),
    points: fc.tuple(point, point, point),
    range: fc.option(fewRange, { nil: undefined }),
    sortFrom: fc.integer({ min: 0, max: 3 }),
    reverse: fc.boolean(),
    page: fc.option(fc.tuple(few, fc.integer({ min: 0, max: 40 })), { nil: undefined }),
    limit: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ directions, fixed, points, range, sortFrom, reverse, limit }) => {
    const names = ['a', 'b', 'c', '_id'];
    const indexKey = Object.fromEntries(names.map((name, at) => [name, directions[at]!]));
    const filter: Document = Object.fromEntries(names.slice(0, fixed).map((name, at) => [name, points[at]]));
    if (range && fixed < 3) filter[names[fixed]!] = range;
    const sort = Object.fromEntries(
      names
        .slice(Math.min(sortFrom, fixed))
        .map((name) => [name, reverse ? -indexKey[name]! : indexKey[name]!]),
    );
    return { indexKey, filter, sort, limit };
  });

test('uses the order of an index after fixed fields', async () => {
  const rowOfFew = fc.record({ a: few, b: few, c: few }, { requiredKeys: ['a'] });
  await fc.assert(
    fc.asyncProperty(
      fc.array(rowOfFew, { minLength: 20, maxLength: 40 }),
      fc.array(served, { minLength: 10, maxLength: 15 }),
      async (documents, queries) => {
        const rows = documents.map((row, _id): Row => ({ ...row, _id }));
        for (const { indexKey, ...one } of queries) {
          const collection = await fill(documents, [{ key: indexKey, options: {} }], true);
          const found = await collection
            .find(one.filter, { sort: one.sort as never, limit: one.limit, batchSize: 4 })
            .toArray();
          expect(found).toEqual(expectedOf(rows, one));
        }
      },
    ),
    { numRuns: RUNS, seed: 20_261_123 + SEED },
  );
});

test('sorts over arrays of which some values are known', async () => {
  const rowOfArrays = fc.record({ a: fc.oneof(few, fc.array(few, { maxLength: 3 })), b: few });
  const keys = [{ a: 1 }, { b: 1 }, { a: -1, b: 1 }, { b: 1, a: 1 }, { b: 1, a: -1, _id: 1 }];
  const known = fc.record({
    filter: fc.record({ a: point, b: point }, { requiredKeys: [] }),
    sort: fc
      .tuple(fc.uniqueArray(fc.constantFrom('a', 'b'), { minLength: 1 }), direction, direction)
      .map(([names, way, id]) => ({ ...Object.fromEntries(names.map((name) => [name, way])), _id: id })),
    limit: fc.constantFrom(0, 1, 3),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(rowOfArrays, { minLength: 10, maxLength: 30 }),
      fc.subarray(keys),
      fc.array(known, { minLength: 10, maxLength: 15 }),
      async (documents, onKeys, queries) => {
        const indexes = onKeys.map((onKey) => ({ key: onKey, options: {} }));
        const collection = await fill(documents, indexes, true);
        const rows = documents.map((row, _id): Row => ({ ...row, _id }));
        for (const one of queries) {
          const found = await collection
            .find(one.filter as Document, { sort: one.sort as never, limit: one.limit })
            .toArray();
          expect(found).toEqual(expectedOf(rows, one));
        }
      },
    ),
    { numRuns: RUNS, seed: 20_261_125 + SEED },
  );
});

test('applies each bound of an array field to some element', async () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ a: fc.oneof(numbers, fc.integer({ min: 0, max: 9 })), b: few }), {
        maxLength: 20,
      }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
        minLength: 5,
        maxLength: 5,
      }),
      async (documents, bounds) => {
        const collection = await fill(documents, [{ key: { a: 1, b: 1 }, options: {} }], true);
        for (const [$gte, $lt] of bounds) {
          const matcher = new Query({ a: { $gte, $lt } });
          const expected = documents.flatMap((row, at) => (matcher.test(row) ? [at] : []));
          expect(await collection.countDocuments({ a: { $gte, $lt } })).toBe(expected.length);
        }
      },
    ),
    { numRuns: RUNS, seed: 20_261_124 + SEED },
  );
});

test('finds each document with arrays only once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(withArrays, { maxLength: 30 }),
      key,
      fc.array(filter, { minLength: 5, maxLength: 8 }),
      async (documents, onKey, filters) => {
        const collection = await fill(documents, [{ key: onKey, options: {} }], true);
        for (const one of filters) {
          const matcher = new Query(one as Document);
          const expected = documents.flatMap((row, at) => (matcher.test(row) ? [at] : []));
          const found = await collection.find(one as Document).toArray();
          expect(found.map(({ _id }) => _id).toSorted((a, b) => a - b)).toEqual(expected);
        }
      },
    ),
    { numRuns: RUNS, seed: 20_261_121 + SEED },
  );
});

test('indexes follow random updates and deletes', async () => {
  const step = fc.oneof(
    fc.record({ where: filter, set: fc.dictionary(field, scalar, { minKeys: 1, maxKeys: 2 }) }),
    fc.record({ where: filter, unset: field }),
    fc.record({ id: fc.integer({ min: 0, max: 19 }) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 10, maxLength: 20 }),
      fc.array(index, { minLength: 1, maxLength: 3 }),
      fc.array(step, { maxLength: 8 }),
      fc.array(query, { minLength: 3, maxLength: 5 }),
      async (documents, indexes, steps, queries) => {
        const collection = await fill(documents, indexes, true);
        let rows = documents.map((row, _id): Row => ({ ...row, _id }));
        for (const one of steps) {
          if ('id' in one) {
            await collection.deleteOne({ _id: one.id });
            rows = rows.filter(({ _id }) => _id !== one.id);
            continue;
          }
          const matcher = new Query(one.where as Document);
          if ('set' in one) {
            await collection.updateMany(one.where as Document, { $set: one.set });
            rows = rows.map((row) => (matcher.test(row) ? { ...row, ...one.set } : row));
          } else {
            await collection.updateMany(one.where as Document, { $unset: { [one.unset]: '' } });
            rows = rows.map((row) => {
              const { [one.unset]: _, ...rest } = row;
              return matcher.test(row) ? (rest as Row) : row;
            });
          }
        }
        for (const one of queries) {
          const found = await collection
            .find(one.filter as Document, { sort: one.sort, limit: one.limit })
            .toArray();
          expect(found).toEqual(expectedOf(rows, one));
        }
      },
    ),
    { numRuns: RUNS, seed: 20_261_122 + SEED },
  );
});
