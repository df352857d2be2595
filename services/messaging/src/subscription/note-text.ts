import type { MessageEventFields } from '../store/message.schema.js';

const DATE_FORMAT = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** The English text (MSG-10); clients translate the event. */
export function textOf({ kind, at }: MessageEventFields): string {
  switch (kind) {
    case 'started':
      return 'The subscription has begun.';
    case 'ends':
      return `The subscription ends on ${DATE_FORMAT.format(at)}.`;
    case 'ended':
      return 'The subscription has ended.';
  }
}
