import { publicJwks } from '@pulso/platform/auth/access-token';
import { createUrlSigner } from '@pulso/platform/auth/signed-url';
import { systemClock } from '@pulso/platform/time/clock';
import { signUp, startBenchEngines, startBenchPulso } from './bench-pulso.js';

/**
 * The embedded Pulso with users who may upload, in a process of its own. Tells its parent, by IPC, its address, the users'
 * tokens, and what signs addresses of files.
 */
const USERS = 6;
/** Later than that of any post, so that the addresses need no post. */
const EPOCH = 1_000;

const engines = await startBenchEngines();
const { pulso, secrets } = await startBenchPulso(engines, 'bench');
const signer = createUrlSigner({ secrets: secrets.mediaUrl, clock: systemClock });

const tokens: string[] = [];
for (let index = 0; index < USERS; index += 1) tokens.push((await signUp(pulso, `uploader-${index}`)).token);
await pulso.drainEvents(300_000);

async function close(): Promise<never> {
  await pulso.close();
  await engines.stop();
  process.exit(0);
}

process.on('message', (order: 'stop' | { sign: string }) => {
  if (order === 'stop') return void close();
  process.send!({ address: signer.sign(order.sign, { epoch: EPOCH }) });
});
process.send!({ url: pulso.url, tokens, jwks: publicJwks(secrets.signingKeys) });
