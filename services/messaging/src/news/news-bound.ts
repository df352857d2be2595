import type { MessageDocument } from '../store/message.schema.js';

/** How many messages one answer has (NOTIF-13); whoever has missed more reloads. */
export const MAX_MESSAGES = 50;
/** How many bytes their texts have together: eight messages of the greatest length. */
export const MAX_TEXT_BYTES = 128 * 1024;

/** Returns a function to which messages are given one after the other; it returns whether the answer has room for this one. */
export function newsBound(): (message: Pick<MessageDocument, 'content'>) => boolean {
  let [messages, bytes] = [0, 0];
  return ({ content }) => {
    messages += 1;
    bytes += Buffer.byteLength(content);
    return messages <= MAX_MESSAGES && bytes <= MAX_TEXT_BYTES;
  };
}
