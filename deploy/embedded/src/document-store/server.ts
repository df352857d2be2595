import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Document } from 'bson';
import { encodeDocument } from './bson-values.js';
import { Catalog } from './catalog.js';
import type { CommandContext, Reply } from './command.js';
import { CommandError } from './command-error.js';
import { COMMANDS } from './command-registry.js';
import { CursorRegistry } from './cursor.registry.js';
import { encodeReply, MessageReader, parseRequest, type Request } from './wire-protocol.js';

/**
 * The embedded document store: enough of MongoDB's wire protocol for mongoose and the official driver, unchanged.
 *
 * It answers as a standalone server of version 7.0, on 127.0.0.1 only. Write concern `majority`, read concern `majority`
 * and sessions are accepted: every write is flushed before it is acknowledged and every read sees the newest data, so
 * they hold. Transactions and retryable writes are not offered. Commands, options, operators and stages come from
 * allow-lists; all others fail with MongoDB's own code. Queries without a helping index stop at 1,000 documents
 * (NoQueryExecutionPlans, 291), sorts no index has stop at 1,000 documents (292): what works here is indexed.
 */
export interface DocumentStoreServer {
  url: string;
  port: number;
  close(): Promise<void>;
}

export interface ListenOptions {
  /** Where the data lives; made when missing. One server at a time may have it open. */
  directory: string;
  /** 0 or missing: any free port. */
  port?: number;
}

export async function listenDocumentStore({
  directory,
  port = 0,
}: ListenOptions): Promise<DocumentStoreServer> {
  const catalog = await Catalog.open(directory);
  const cursors = new CursorRegistry();
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, { catalog, cursors, connectionId: ++connections });
  });
  try {
    await listen(server, port);
  } catch (error) {
    await catalog.close();
    throw error;
  }
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `mongodb://127.0.0.1:${bound}/?directConnection=true`,
    port: bound,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      // Writes already queued are flushed; their connections end after that.
      const flushed = catalog.close();
      for (const socket of sockets) socket.destroySoon();
      await Promise.all([closed, flushed]);
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Answers a connection's requests one after the other, as the protocol expects. */
function serve(socket: Socket, context: Omit<CommandContext, 'sequences'>): void {
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
        // Reads are answered at once; only writes have to be waited for.
        const reply = answer instanceof Promise ? await answer : answer;
        if (request.wantsReply && socket.writable) socket.write(encodeReply(request, reply));
      }
    } catch (error) {
      // A frame that cannot be read: nothing on this connection can be trusted any more.
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

function answerTo(
  request: Request,
  context: Omit<CommandContext, 'sequences'>,
): Buffer[] | Promise<Buffer[]> {
  try {
    const reply = run(request, context);
    return reply instanceof Promise ? reply.then(encode, encodeFailure) : encode(reply);
  } catch (error) {
    return encodeFailure(error);
  }
}

function run(request: Request, context: Omit<CommandContext, 'sequences'>): Reply | Promise<Reply> {
  const { body, sequences, legacy } = request;
  const name = Object.keys(body)[0] ?? '';
  const command = COMMANDS.get(name);
  if (!command) throw new CommandError(59, `no such command: '${name}'`);
  if (legacy && !['hello', 'isMaster', 'ismaster'].includes(name)) {
    throw new CommandError(352, `Unsupported OP_QUERY command: ${name}`);
  }
  return command(body, { ...context, sequences });
}

function encode(reply: Reply): Buffer[] {
  return Array.isArray(reply) ? (reply as Buffer[]) : [encodeDocument({ ...reply, ok: 1 })];
}

function encodeFailure(error: unknown): Buffer[] {
  return [encodeDocument(failureReply(error))];
}

function failureReply(error: unknown): Document {
  if (error instanceof CommandError) return error.toReply();
  process.stderr.write(
    `document store: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return new CommandError(1, error instanceof Error ? error.message : String(error)).toReply();
}
