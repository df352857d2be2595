import { Module } from '@nestjs/common';
import { ConversationGuard } from './conversation/conversation-guard.js';
import { ConversationGrpc } from './conversation/conversation.grpc.js';
import { ListConversations } from './conversation/list-conversations.js';
import { MarkConversationRead } from './conversation/mark-conversation-read.js';
import { StartConversation } from './conversation/start-conversation.js';
import { MailWriter } from './mail/mail-writer.js';
import {
  ModerationMails,
  TellOfHiddenComments,
  TellOfHiddenPosts,
  TellOfSuspensions,
} from './mail/moderation-mails.js';
import { SubscriptionMails } from './mail/subscription-mails.js';
import { WelcomeMail } from './mail/welcome-mail.reaction.js';
import { FoldMessages } from './message/fold-messages.job.js';
import { ListMessages } from './message/list-messages.js';
import { MessageWriter } from './message/message-writer.js';
import { MessageGrpc } from './message/message.grpc.js';
import { SendMessage } from './message/send-message.js';
import { ModeratedMessages } from './moderation/moderated-messages.js';
import { GetUnreadCounts } from './news/get-unread-counts.js';
import { ListNews } from './news/list-news.js';
import { NewsGrpc } from './news/news.grpc.js';
import { UnreadCounts } from './news/unread-counts.js';
import { EraseNotifications } from './notification/erase-notifications.reaction.js';
import { ListNotifications } from './notification/list-notifications.js';
import { MarkNotificationsRead } from './notification/mark-notifications-read.js';
import { MentionWriter } from './notification/mention-writer.js';
import { NotificationReader } from './notification/notification-reader.js';
import { NotificationWriter } from './notification/notification-writer.js';
import { NotificationGrpc } from './notification/notification.grpc.js';
import { NotifyOfComments } from './notification/notify-of-comments.reaction.js';
import { NotifyOfFollows } from './notification/notify-of-follows.reaction.js';
import { NotifyOfLikes } from './notification/notify-of-likes.reaction.js';
import { NotifyOfMentions } from './notification/notify-of-mentions.reaction.js';
import { NotifyOfReviews } from './notification/notify-of-reviews.reaction.js';
import { NotifyOfSubscriptions } from './notification/notify-of-subscriptions.reaction.js';
import { KnownBlocks } from './projections/known-blocks.js';
import { KnownContacts } from './projections/known-contacts.js';
import { KnownUsers } from './projections/known-users.js';
import { OpenPages } from './projections/open-pages.js';
import { VisiblePeople } from './projections/visible-people.js';
import { ConversationRepository } from './store/conversation.repository.js';
import { MailRepository } from './store/mail.repository.js';
import { MessageRepository } from './store/message.repository.js';
import { NotificationRepository } from './store/notification.repository.js';
import { TellOfSubscriptions } from './subscription/tell-of-subscriptions.reaction.js';

@Module({
  controllers: [
    // Conversations and messages
    ...[ConversationGrpc, MessageGrpc, NewsGrpc],
    // Notifications
    NotificationGrpc,
  ],
  providers: [
    // People
    ...[KnownUsers, KnownContacts, KnownBlocks, VisiblePeople, OpenPages],
    // Conversations and messages
    ...[ConversationRepository, ConversationGuard, StartConversation, ListConversations],
    MarkConversationRead,
    ...[MessageRepository, MessageWriter, FoldMessages, SendMessage, ListMessages],
    ...[TellOfSubscriptions, ModeratedMessages],
    // Mails
    ...[MailRepository, MailWriter, WelcomeMail, SubscriptionMails],
    ...[ModerationMails, TellOfHiddenPosts, TellOfHiddenComments, TellOfSuspensions],
    // Badges and news
    ...[UnreadCounts, GetUnreadCounts, ListNews],
    // Notifications
    ...[NotificationRepository, NotificationWriter, NotificationReader, ListNotifications],
    ...[MarkNotificationsRead, NotifyOfLikes, NotifyOfComments, NotifyOfFollows, NotifyOfReviews],
    ...[NotifyOfSubscriptions, NotifyOfMentions, MentionWriter, EraseNotifications],
  ],
})
export class MessagingModule {}
