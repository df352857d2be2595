import type { Collection, Document } from 'mongodb';
import { failureOf, type StoreUnderTest, startStoreUnderTest } from './store-under-test.js';

type Row = Document & { _id: string };

let store: StoreUnderTest;
let rows: Collection<Row>;
const names = async () =>
  (await store.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();

beforeAll(async () => {
  store = await startStoreUnderTest();
});
afterAll(() => store?.stop());

beforeEach(async () => {
  rows = store.db.collection<Row>('rows');
  await store.db.dropDatabase();
  await rows.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: String(n), n })));
  await rows.createIndex({ n: -1 });
});

describe('collections', () => {
  test('are listed by name, those of this database alone', async () => {
    const other = store.client.db(`${store.db.databaseName}_other`);
    await other.collection<Row>('strangers').insertOne({ _id: 'a' });
    await store.db.collection<Row>('more').insertOne({ _id: 'a' });
    expect(await names()).toEqual(['more', 'rows']);
    const listed = await store.db.listCollections({}, { nameOnly: true, batchSize: 1 }).toArray();
    expect(listed.every(({ type }) => type === 'collection')).toBe(true);
    await other.dropDatabase();
    expect(await other.listCollections({}, { nameOnly: true }).toArray()).toEqual([]);
  });

  test('get another name with their documents and indexes', async () => {
    await rows.rename('kept.rows');
    expect(await names()).toEqual(['kept.rows']);
    const kept = store.db.collection<Row>('kept.rows');
    expect(await kept.findOne({ n: 299 })).toEqual({ _id: '299', n: 299 });
    expect(await kept.listIndexes().toArray()).toMatchObject([{ name: '_id_' }, { name: 'n_-1' }]);
    await kept.insertOne({ _id: 'new', n: 300 });
    // The former name is free, and what comes there is apart.
    await rows.insertOne({ _id: 'new', n: 1 });
    expect(await rows.countDocuments({})).toBe(1);
    expect(await kept.countDocuments({})).toBe(301);
  });

  test('that are missing cannot be renamed, nor those that would take the place of another', async () => {
    await store.db.collection<Row>('more').insertOne({ _id: 'a' });
    expect(await failureOf(rows.rename('more'))).toMatchObject({ code: 48, codeName: 'NamespaceExists' });
    expect(await failureOf(store.db.collection('none').rename('any'))).toMatchObject({ code: 26 });
    expect(await names()).toEqual(['more', 'rows']);
    expect(await rows.countDocuments({})).toBe(300);
  });

  test('are renamed from the database admin alone', async () => {
    const { databaseName } = store.db;
    const command = { renameCollection: `${databaseName}.rows`, to: `${databaseName}.more` };
    expect(await failureOf(store.db.command(command))).toMatchObject({ code: 13 });
  });

  test('are dropped, also twice, and end the cursors on them', async () => {
    await store.db.collection<Row>('more').insertOne({ _id: 'a' });
    const cursor = rows.find({}, { batchSize: 2 });
    await cursor.next();
    await rows.drop();
    await store.db.command({ drop: 'rows' });
    expect(await names()).toEqual(['more']);
    const rest = cursor.toArray();
    expect((await failureOf(rest)).code).toBe(175);
  });
});

(process.env['MONGODB_URL'] ? describe.skip : describe)('only here', () => {
  test.each([
    ['a list with more than names', { listCollections: 1 }],
    ['a filter of names', { listCollections: 1, nameOnly: true, filter: { name: 'rows' } }],
  ])('%s is refused', async (_, command) => {
    expect(await failureOf(store.db.command(command))).toMatchObject({ code: 2 });
  });

  test('a rename over another collection is refused', async () => {
    expect(await failureOf(rows.rename('more', { dropTarget: true }))).toMatchObject({ code: 2 });
  });
});
