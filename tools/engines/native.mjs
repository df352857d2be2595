import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterThisProcess } from '../child-process.mjs';
import { ENGINES, startEach } from './index.mjs';

/**
 * Kafka, Redis, PostgreSQL, the embedded document store and an S3 server, each on a free loopback port with its data in a
 * temporary folder. Needs Java 17, Maven (once), redis-server, PostgreSQL and a built `deploy/embedded`.
 *
 * Resolves to `{ kafkaBrokers, redisUrl, postgresUrl, mongodbUrl, s3Url, engines, stop }`. `engines.kafka`, `.redis`,
 * `.postgres` and `.objects` have `stop`, `kill`, `start` and `restart`, on the same port and data, for tests of faults;
 * `engines.documents` has `pid` and comes back by itself when it is killed. `stop` ends all in order and removes the folder;
 * `discard` does so at once, because nobody needs the data any more.
 */
export async function startNativeEngines() {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-engines-'));
  // Runs twice, because at first an engine may still be ending and writing files.
  const keepFolder = afterThisProcess('for pause in 0.3 1; do sleep $pause; rm -rf "$1"; done', folder);
  // For root, PostgreSQL runs as another account, which must be able to enter.
  chmodSync(folder, 0o755);
  const place = (name) => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  const removeFolder = () => {
    rmSync(folder, { recursive: true, force: true });
    keepFolder();
  };
  const { started, stop } = await startEach((engine) => engine.startNative(place(engine.name))).catch(
    (error) => {
      removeFolder();
      throw error;
    },
  );
  return {
    ...Object.fromEntries(
      ENGINES.map(({ address, nativeAddress }, index) => [address, nativeAddress(started[index])]),
    ),
    engines: Object.fromEntries(ENGINES.map(({ name }, index) => [name, started[index]])),
    async stop() {
      await stop();
      removeFolder();
    },
    async discard() {
      await Promise.all(started.map((engine) => (engine.kill ? engine.kill() : engine.stop())));
      removeFolder();
    },
  };
}
