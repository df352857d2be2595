import pg from 'pg';

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/**
 * The statements of each transaction that began and ended in this process while `act` ran: their names, or their first three
 * words where they have none. Also those of other work, so look for a statement that only the act has.
 */
export async function transactionsDuring(act: () => Promise<unknown>): Promise<string[][]> {
  const open = new Map<pg.Client, string[]>();
  const ended: string[][] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { name?: string; text: string }];
    const { name, text } = typeof asked === 'string' ? { name: undefined, text: asked } : asked;
    if (text === 'START TRANSACTION') open.set(this, []);
    open.get(this)?.push(name ?? text.trim().split(/\s+/).slice(0, 3).join(' '));
    if (text === 'COMMIT' || text === 'ROLLBACK') {
      const statements = open.get(this);
      if (statements) ended.push(statements);
      open.delete(this);
    }
    return query.apply(this, given);
  };
  try {
    await act();
  } finally {
    prototype.query = query;
  }
  return ended;
}
