import pg from 'pg';

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/**
 * The statements of each transaction that began and ended in this process while `act` ran: their names, or their first three
 * words where they have none. Also those of other work, so look for a statement that only the act has.
 */
export async function transactionsDuring(act: () => Promise<unknown>): Promise<string[][]> {
  const open = new Map<pg.Client, string[]>();
  const ended: string[][] = [];
  await hearing(act, (client, { name, text }) => {
    if (text === 'START TRANSACTION') open.set(client, []);
    open.get(client)?.push(name ?? text.trim().split(/\s+/).slice(0, 3).join(' '));
    if (text !== 'COMMIT' && text !== 'ROLLBACK') return;
    const statements = open.get(client);
    if (statements) ended.push(statements);
    open.delete(client);
  });
  return ended;
}

/** The names of the named statements that ran in this process while `act` did, in their order; also those of other work. */
export async function namesDuring(act: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  await hearing(act, (_client, { name }) => {
    if (name !== undefined) names.push(name);
  });
  return names;
}

async function hearing(
  act: () => Promise<unknown>,
  hear: (client: pg.Client, asked: { name?: string; text: string }) => void,
): Promise<void> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { name?: string; text: string }];
    hear(this, typeof asked === 'string' ? { text: asked } : asked);
    return query.apply(this, given);
  };
  try {
    await act();
  } finally {
    prototype.query = query;
  }
}
