import type { Pool, PoolClient } from 'pg';

/** Runs `work` in a transaction on its own connection; rolls back and rejects if it throws. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  // Without a listener, the loss of a checked-out connection would end the process.
  const onError = (error: Error) => {
    lost = error;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // If the connection is lost, PostgreSQL has rolled back by itself.
    if (!lost) await client.query('ROLLBACK').catch((failure: Error) => (lost = failure));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(lost);
  }
}
