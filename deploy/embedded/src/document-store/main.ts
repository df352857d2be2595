import { listenDocumentStore } from './server.js';

/**
 * The document store as a separate process: `node main.js <directory> [port] [host]`. The password is in
 * DOCUMENT_STORE_PASSWORD, because every user can read arguments; those of users beside `pulso` may be in
 * DOCUMENT_STORE_USERS, as JSON by their names. Sends its parent `{ ready: port }` or `{ failed: message }` over IPC, or
 * without one writes to its output; ends cleanly on SIGTERM, and with its parent. SIGINT and SIGHUP may have reached the whole process
 * group, so it tells the parent, `{ told: signal }`, which decides when the store ends.
 */
const [directory, port = '0', host] = process.argv.slice(2);
const { DOCUMENT_STORE_PASSWORD: password, DOCUMENT_STORE_USERS: others = '{}' } = process.env;
// Only the owner may read the files of this process.
process.umask(0o077);

async function main(): Promise<void> {
  if (!directory || !password)
    throw new Error('usage: DOCUMENT_STORE_PASSWORD=… main.js <directory> [port] [host]');
  const users = JSON.parse(others) as Record<string, string>;
  const server = await listenDocumentStore({
    directory,
    password,
    users,
    port: Number(port),
    ...(host && { host }),
  });
  let stopping: Promise<void> | undefined;
  const stop = (): void => {
    stopping ??= server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`document store: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => process.send?.({ told: signal }));
  process.on('disconnect', stop);
  if (process.send) process.send({ ready: server.port });
  else process.stdout.write(`document store: ready on port ${server.port}\n`);
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  if (process.send) process.send({ failed: message });
  else process.stderr.write(`document store: ${message}\n`);
  process.exitCode = 1;
  process.disconnect?.();
});
