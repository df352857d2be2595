import type { DataSource } from 'typeorm';
import { AssetsInOrder } from './assets-in-order.js';
import type { MediaRows } from './media-rows.js';

/** On a connection whose statements that begin with a key fail with its value. */
function over(failures: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const runner = {
    connect: async () => undefined,
    query: async (statement: string) => {
      const [word] = statement.split(' ') as [string];
      asked.push(word);
      if (failures[word]) throw new Error(failures[word]);
      return [{ id: 'a' }];
    },
    release: async () => void asked.push('released'),
  };
  const dataSource = { createQueryRunner: () => runner } as unknown as DataSource;
  return { read: () => new AssetsInOrder(dataSource, {} as MediaRows).read('image'), asked };
}

describe('AssetsInOrder', () => {
  it('tells why the rows could not be read, also where the connection is lost with them', async () => {
    const { read, asked } = over({ FETCH: 'the connection broke', CLOSE: 'not queryable' });
    await expect(read().next()).rejects.toThrow('the connection broke');
    expect(asked).toEqual(['SET', 'DECLARE', 'FETCH', 'CLOSE', 'released']);
  });

  it('tells that a connection could not be given back as it was, and releases it', async () => {
    const { read, asked } = over({ RESET: 'the connection broke' });
    const rows = read();
    await rows.next();
    await expect(rows.return(undefined)).rejects.toThrow('the connection broke');
    expect(asked.at(-1)).toBe('released');
  });

  it('gives back a connection of which not all rows were read', async () => {
    const { read, asked } = over({});
    const rows = read();
    await rows.next();
    await rows.return(undefined);
    expect(asked).toEqual(['SET', 'DECLARE', 'FETCH', 'CLOSE', 'RESET', 'released']);
  });
});
