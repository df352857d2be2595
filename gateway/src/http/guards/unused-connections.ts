import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which nothing has been sent yet, such as those that browsers open ahead. To Node each one is as busy as
 * with a request under way, so that closing the server would wait for it.
 */
export class UnusedConnections {
  private readonly open = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  close(): void {
    for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
  }
}
