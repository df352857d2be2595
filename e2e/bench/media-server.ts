import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDocumentStore } from '@pulso/embedded/document-store/supervisor';
import { startPostgres } from '@pulso/embedded/postgres/postgres-server';
import { publicJwks } from '@pulso/platform/auth/access-token';
import { createUrlSigner } from '@pulso/platform/auth/signed-url';
import { systemClock } from '@pulso/platform/time/clock';
import { signUp, startBenchPulso } from './bench-pulso.js';

/**
 * The embedded Pulso with users who may upload, in a process of its own. Tells its parent, by IPC, its address, the users'
 * tokens, and what signs addresses of files.
 */
const USERS = 6;
/** Later than that of any post, so that the addresses need no post. */
const EPOCH = 1_000;

const directory = mkdtempSync(join(tmpdir(), 'pulso-bench-'));
const postgres = await startPostgres({
  directory: join(directory, 'postgres'),
  password: 'bench',
  durable: false,
});
const documents = await startDocumentStore({ directory: join(directory, 'documents'), password: 'bench' });
const engines = { postgresUrl: postgres.url, mongodbUrl: documents.url };
const objectsDirectory = join(directory, 'objects');
const { pulso, secrets } = await startBenchPulso(engines, 'bench', { objectsDirectory });
const signer = createUrlSigner({ secrets: secrets.mediaUrl, clock: systemClock });

const tokens: string[] = [];
for (let index = 0; index < USERS; index += 1) tokens.push((await signUp(pulso, `uploader-${index}`)).token);
await pulso.drainEvents(300_000);

async function close(): Promise<never> {
  await pulso.close();
  await Promise.all([postgres.stop(), documents.stop()]);
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
}

process.on('message', (order: 'stop' | { sign: string }) => {
  if (order === 'stop') return void close();
  process.send!({ address: signer.sign(order.sign, { epoch: EPOCH }) });
});
process.send!({ url: pulso.url, tokens, jwks: publicJwks(secrets.signingKeys) });
