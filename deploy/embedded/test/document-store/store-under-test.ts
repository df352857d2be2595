import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import { listenDocumentStore } from '../../src/document-store/server.js';

export const PASSWORD = 'a password of these tests';

export interface StoreUnderTest {
  url: string;
  client: MongoClient;
  db: Db;
  /** False on a real MongoDB, which accepts what only the embedded store refuses. */
  embedded: boolean;
  stop(): Promise<void>;
}

/** A new database: on the MongoDB that `MONGODB_URL` names, else on an embedded store in this process. */
export async function startStoreUnderTest(): Promise<StoreUnderTest> {
  const external = process.env['MONGODB_URL'];
  const database = `conformance_${randomUUID().slice(0, 8)}`;
  if (external) {
    const client = await MongoClient.connect(external);
    const db = client.db(database);
    return {
      url: external,
      client,
      db,
      embedded: false,
      stop: async () => {
        await db.dropDatabase();
        await client.close();
      },
    };
  }
  const directory = temporaryDirectory();
  const server = await listenDocumentStore({ directory, password: PASSWORD });
  const client = new MongoClient(server.url);
  const stop = async () => {
    await client.close();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await client.connect();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: server.url, client, db: client.db(database), embedded: true, stop };
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'pulso-documents-'));
}

/** The error with which a promise rejects. */
export async function failureOf(action: Promise<unknown>): Promise<MongoServerError> {
  const outcome = await action.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof MongoServerError) return outcome;
  throw new Error(`expected an error of the server, got ${String(outcome)}`);
}
