import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { type ModeratedMessage, ModeratedMessages } from './moderated-messages.js';

/** The command by which moderators read a reported message; the decisions are commands of social. */
export const moderationCommands: Readonly<Record<string, ServiceCommand>> = {
  'show-message': {
    operands: ['<message>'],
    options: { json: { type: 'boolean' } },
    summary: 'shows a message to a moderator, with its neighbours in the conversation',
    prepare({ operands: [id = ''], options: { json } }) {
      return async (service) => {
        const seen = await service.get(ModeratedMessages).show(id);
        if (json) return [JSON.stringify(seen)];
        const { message, before, after } = seen;
        return [
          ...before.flatMap((neighbour) => linesOf('message', neighbour)),
          ...linesOf('> message', message),
          ...after.flatMap((neighbour) => linesOf('message', neighbour)),
        ];
      };
    },
  },
};

/** The text is untrusted: quoted, so that it stays on its line. */
function linesOf(title: string, message: ModeratedMessage): string[] {
  const { id, sender, receiver, senderId, senderStatus, type, createdAt, content } = message;
  const status = senderStatus === 'active' ? '' : `, ${senderStatus}`;
  return [
    `${title} ${id}  ${createdAt}${type === 'system' ? '  written by Pulso' : ''}`,
    `  from ${sender} (${senderId}${status}) to ${receiver}`,
    `  ${JSON.stringify(content)}`,
  ];
}
