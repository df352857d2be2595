import { Schema } from 'mongoose';
import { collection } from '../../src/mongo/collection.js';
import { MongoDatabase } from '../../src/mongo/mongo-database.js';
import { mongo } from '../../src/mongo/mongo-store.js';
import { SCHEMA_OPTIONS } from '../../src/mongo/schema-options.js';
import { readStoreTarget } from '../../src/service/service-settings.js';
import { aMongoDatabase } from '../../testing/databases.js';

interface Part {
  _id: string;
  size: number;
}

const schemaOf = () => new Schema<Part>({ _id: String, size: Number }, SCHEMA_OPTIONS);
class Parts extends collection<Part>({ name: 'parts', schema: schemaOf().index({ size: 1 }) }) {}

const store = mongo({ collections: [Parts] });
const read = (env: NodeJS.ProcessEnv) => readStoreTarget({ name: 'parts', store }, env);

describe('a store on MongoDB', () => {
  const { url, drop } = aMongoDatabase('store');
  afterAll(drop);

  it('is ready after a migration, which may be repeated', async () => {
    const target = { service: 'parts', setting: 'PARTS_DATABASE_URL', url, pool: 5 };
    const missing =
      'PARTS_DATABASE_URL: the database lacks indexes of parts, rebuilds. Run this version’s `migrate` command first.';
    await expect(store.assertReady(target)).rejects.toThrow(missing.replace('’', "'"));
    await store.migrate(target);
    await store.migrate(target);
    await expect(store.assertReady(target)).resolves.toBeUndefined();
  });

  it('accepts URLs of one or several hosts that name a database', () => {
    for (const one of ['mongodb://one:27017,two:27017/posts?replicaSet=rs', 'mongodb+srv://one/posts']) {
      expect(read({ PARTS_DATABASE_URL: one })).toMatchObject({ url: one, pool: 20 });
    }
  });

  it.each([
    ['PARTS_DATABASE_URL', 'http://one/posts'],
    ['PARTS_DATABASE_URL', 'mongodb://one:27017'],
    ['PARTS_DATABASE_POOL', '0'],
  ])('names %s when it is %j', (name, value) => {
    expect(() => read({ PARTS_DATABASE_URL: url, [name]: value })).toThrow(name);
  });

  it('refuses two collections of one name', () => {
    class Others extends collection<Part>({ name: 'parts', schema: schemaOf() }) {}
    expect(() => mongo({ collections: [Parts, Others] })).toThrow('declared twice');
  });

  it('inserts by one command those of many documents whose keys are free, and says which', async () => {
    const database = await MongoDatabase.open({ url, pool: 1 }, [Parts.declaration]);
    try {
      const parts = new Parts(database);
      expect(await parts.insertNew([{ _id: 'one', size: 1 }])).toEqual(['one']);
      const both = ['one', 'two'].map((_id) => ({ _id, size: 2 }));
      expect(await parts.insertNew(both)).toEqual(['two']);
      expect(await parts.insertNew(both)).toEqual([]);
      const found = await parts.find({ size: { $gt: 0 } }, { sort: { size: 1 } });
      expect(found.map(({ _id, size }) => `${_id} ${size}`)).toEqual(['one 1', 'two 2']);
    } finally {
      await database.close();
    }
  });
});
