import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Double } from 'bson';
import type { CommandContext, Reply } from './commands/command.js';
import { runCommand } from './commands/command-registry.js';
import { CursorRegistry } from './commands/cursor.registry.js';
import { CommandError } from './rules/command-error.js';
import { Catalog } from './store/catalog.js';
import type { StorageOptions } from './store/storage.js';
import { encodeDocument } from './values/bson-values.js';
import { documentStoreUrl, USER_NAME } from './wire/document-store-url.js';
import { ScramConversation, ScramCredentials } from './wire/scram.js';
import { encodeReply, MessageReader, parseRequest, type Request } from './wire/wire-protocol.js';

/**
 * The embedded document store: the part of MongoDB's wire protocol that unmodified mongoose and the official driver
 * need.
 *
 * It is a standalone server of version 7.0, on 127.0.0.1 unless told otherwise, for clients that know a password of it. Every
 * user may do everything. Write concern
 * `majority`, read concern `majority` and sessions are accepted: every write is flushed before it is acknowledged and
 * every read sees the newest data, so their guarantees hold. There are no transactions or retryable writes. Anything
 * not in rules/allow-list.ts fails with MongoDB's own code. A query without a suitable index stops at 1,000 documents
 * (NoQueryExecutionPlans, 291), and so does a sort without one (292), so that no code can depend on unindexed
 * queries.
 */
export interface DocumentStoreServer {
  url: string;
  port: number;
  close(): Promise<void>;
}

export interface ListenOptions extends StorageOptions {
  /** Of the user `pulso`. */
  password: string;
  /** The passwords of further users, by their names. */
  users?: Readonly<Record<string, string>>;
  /** 0 or missing: any free port. */
  port?: number;
  /** The address to listen on. */
  host?: string;
}

export async function listenDocumentStore({
  password,
  users = {},
  port = 0,
  host = '127.0.0.1',
  ...options
}: ListenOptions): Promise<DocumentStoreServer> {
  const catalog = await Catalog.open(options);
  const cursors = new CursorRegistry();
  const passwords = Object.entries({ ...users, [USER_NAME]: password });
  const credentials = new Map(passwords.map(([name, secret]) => [name, new ScramCredentials(secret)]));
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const login = new ScramConversation(credentials);
    serve(socket, { catalog, cursors, login, connectionId: ++connections });
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    await catalog.close();
    throw error;
  }
  const bound = (server.address() as AddressInfo).port;
  return {
    url: documentStoreUrl(bound, password),
    port: bound,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      // Queued writes are flushed; their connections are closed after that.
      const flushed = catalog.close();
      for (const socket of sockets) socket.destroySoon();
      await Promise.all([closed, flushed]);
    },
  };
}

type ConnectionContext = Omit<CommandContext, 'sequences'>;

/** Replies to a connection's requests in sequence, as the protocol requires. */
function serve(socket: Socket, context: ConnectionContext): void {
  const reader = new MessageReader();
  const waiting: Buffer[] = [];
  let busy = false;

  const work = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      for (let message = waiting.shift(); message; message = waiting.shift()) {
        const request = parseRequest(message);
        const answer = answerTo(request, context);
        // Reads return at once; only writes have to be awaited.
        const reply = answer instanceof Promise ? await answer : answer;
        if (request.wantsReply && socket.writable) socket.write(encodeReply(request, reply));
      }
    } catch (error) {
      // After a malformed frame, nothing on this connection can be trusted.
      socket.destroy(error instanceof Error ? error : undefined);
    } finally {
      busy = false;
    }
  };

  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    try {
      waiting.push(...reader.push(chunk));
    } catch {
      socket.destroy();
      return;
    }
    void work();
  });
}

function answerTo(request: Request, context: ConnectionContext): Buffer[] | Promise<Buffer[]> {
  const { body, sequences, legacy } = request;
  try {
    if (legacy && !('hello' in body || 'ismaster' in body)) {
      throw new CommandError(352, 'OP_QUERY is only supported for the first hello');
    }
    const reply = runCommand(body, { ...context, sequences });
    return reply instanceof Promise ? reply.then(encode, encodeFailure) : encode(reply);
  } catch (error) {
    return encodeFailure(error);
  }
}

function encode(reply: Reply): Buffer[] {
  return Array.isArray(reply) ? (reply as Buffer[]) : [encodeDocument({ ...reply, ok: new Double(1) })];
}

function encodeFailure(error: unknown): Buffer[] {
  if (error instanceof CommandError) return [encodeDocument(error.toReply())];
  const { stack, message } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`document store: ${stack ?? message}\n`);
  return [encodeDocument(new CommandError(1, message).toReply())];
}
