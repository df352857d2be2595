import { Module } from '@nestjs/common';
import { ConversationGuard } from './conversation/conversation-guard.js';
import { MailWriter } from './mail/mail-writer.js';
import { ModerationMails } from './mail/moderation-mails.js';
import { SubscriptionMails } from './mail/subscription-mails.js';
import { FoldMessages } from './message/fold-messages.job.js';
import { MessageWriter } from './message/message-writer.js';
import { ModeratedMessages } from './moderation/moderated-messages.js';
import { UnreadCounts } from './news/unread-counts.js';
import { MentionWriter } from './notification/mention-writer.js';
import { NotificationReader } from './notification/notification-reader.js';
import { NotificationWriter } from './notification/notification-writer.js';
import { OpenPages } from './projections/open-pages.js';
import { VisiblePeople } from './projections/visible-people.js';
import { ConversationRepository } from './store/conversation.repository.js';
import { ListedPeople } from './store/listed-people.js';
import { MailRepository } from './store/mail.repository.js';
import { MessagePlaces } from './store/message-places.js';
import { MessageRepository } from './store/message.repository.js';
import { NotificationRepository } from './store/notification.repository.js';

/** The providers that `service.ts` does not list. */
@Module({
  providers: [
    // People
    ...[VisiblePeople, { provide: ListedPeople, useExisting: VisiblePeople }, OpenPages],
    // Conversations and messages
    ...[ConversationRepository, ConversationGuard],
    ...[MessageRepository, MessagePlaces, MessageWriter, FoldMessages, ModeratedMessages],
    // Mails
    ...[MailRepository, MailWriter, SubscriptionMails, ModerationMails],
    // Badges
    UnreadCounts,
    // Notifications
    ...[NotificationRepository, NotificationWriter, NotificationReader, MentionWriter],
  ],
})
export class MessagingModule {}
