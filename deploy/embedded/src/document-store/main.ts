import { listenDocumentStore } from './server.js';

/**
 * The document store as a separate process: `node main.js <directory> [port]`. The password is in
 * DOCUMENT_STORE_PASSWORD, because every user can read arguments. Sends its parent `{ ready: port }` or `{ failed:
 * message }` over IPC; ends cleanly on SIGTERM, and with its parent. SIGINT and SIGHUP may have reached the whole process
 * group, so it tells the parent, `{ told: signal }`, which decides when the store ends.
 */
const [directory, port = '0'] = process.argv.slice(2);
const password = process.env['DOCUMENT_STORE_PASSWORD'];
// Only the owner may read the files of this process.
process.umask(0o077);

async function main(): Promise<void> {
  if (!directory || !password) throw new Error('usage: DOCUMENT_STORE_PASSWORD=… main.js <directory> [port]');
  const server = await listenDocumentStore({ directory, password, port: Number(port) });
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
  process.send?.({ ready: server.port });
}

main().catch((error: unknown) => {
  process.send?.({ failed: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
  process.disconnect?.();
});
