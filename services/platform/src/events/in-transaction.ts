import type { Pool, PoolClient } from 'pg';

/** Runs `work` in a transaction on a connection of its own; rolls back and rejects when it throws. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  // Unheard, the loss of a connection that is out of the pool would end the process.
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
    // Without its connection PostgreSQL has rolled back by itself.
    if (!lost) await client.query('ROLLBACK').catch((failure: Error) => (lost = failure));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(lost);
  }
}
