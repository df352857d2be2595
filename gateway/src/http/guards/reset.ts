import type { Socket } from 'node:net';

/** So much fits into the window of every client's system: it has arrived, read or not. */
const SURELY_SENT_BYTES = 16 * 1024;

/** Whether bytes of answers may still lie unsent in the kernel, which tells Node nothing of them. */
export const mayBeUnsent = (socket: Socket) => socket.bytesWritten > SURELY_SENT_BYTES;

/**
 * Ends a connection, and drops what has not been sent. After a plain close the kernel would keep that for as long as the
 * client neither reads nor leaves.
 */
export function reset(socket: Socket): void {
  if (socket.destroyed) return;
  // libuv resets no connection while its end is being sent.
  const ends = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  if (ends) return void socket.destroy();
  // Node resets by `destroySoon`, which waits until all is sent.
  socket.destroySoon = () => void socket.destroy();
  socket.resetAndDestroy();
}

/** Ends a connection on which nothing is under way. */
export function endIdle(socket: Socket): void {
  if (mayBeUnsent(socket)) reset(socket);
  else socket.destroy();
}
