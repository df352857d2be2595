import type { MessageDocument } from '../store/message.schema.js';

/** The most messages of one reading (NOTIF-13); whoever has missed more reloads. */
export const MOST_MESSAGES = 50;
/** The most that their texts have in all, in bytes: eight messages of the greatest length. */
export const MOST_TEXT_BYTES = 128 * 1024;

/** A function that says of one message after the other whether one reading has room for it. */
export function newsBound(): (message: Pick<MessageDocument, 'content'>) => boolean {
  let [messages, bytes] = [0, 0];
  return ({ content }) => {
    messages += 1;
    bytes += Buffer.byteLength(content);
    return messages <= MOST_MESSAGES && bytes <= MOST_TEXT_BYTES;
  };
}
