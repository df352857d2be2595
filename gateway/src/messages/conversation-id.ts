import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';

/** The id of a conversation in a path (MSG-1); a malformed one answers like one that does not exist. */
export function conversationId(id: string): string {
  const [first = '', second = '', ...rest] = id.split('_');
  if (rest.length === 0 && isId(first) && isId(second) && first < second) return id;
  throw notFound('Conversation not found');
}
