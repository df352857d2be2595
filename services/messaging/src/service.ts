import { rpcContracts } from '@pulso/contracts/rpc';
import { blockTopic, followTopic, reviewTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { commentTopic, likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import { paymentNoticeTopic, subscriptionTopic } from '@pulso/contracts/topics/billing';
import { accountNoticeTopic, contactTopic, erasureTopic, userTopic } from '@pulso/contracts/topics/identity';
import { messagingErasureTopic } from '@pulso/contracts/topics/messaging';
import { mongo } from '@pulso/platform/mongo/mongo-store';
import { defineService } from '@pulso/platform/service/define-service';
import { job } from '@pulso/platform/service/service-job';
import { ListConversations } from './conversation/list-conversations.js';
import { MarkConversationRead } from './conversation/mark-conversation-read.js';
import { StartConversation } from './conversation/start-conversation.js';
import { EraseMessaging } from './erasure/erase-messaging.js';
import { AccountMails } from './mail/account-mails.reaction.js';
import { MailQueue } from './mail/mail-queue.js';
import { TellOfHiddenComments, TellOfHiddenPosts, TellOfSuspensions } from './mail/moderation-mails.js';
import { TellOfPayments } from './mail/tell-of-payments.reaction.js';
import { WelcomeMail } from './mail/welcome-mail.reaction.js';
import { ListMessages } from './message/list-messages.js';
import { SendMessage } from './message/send-message.js';
import { MessagingModule } from './messaging.module.js';
import { moderationCommands } from './moderation/moderation-commands.js';
import { GetUnreadCounts } from './news/get-unread-counts.js';
import { ListNews } from './news/list-news.js';
import { ListNotifications } from './notification/list-notifications.js';
import { MarkNotificationsRead } from './notification/mark-notifications-read.js';
import { NotifyOfComments } from './notification/notify-of-comments.reaction.js';
import { NotifyOfFollows } from './notification/notify-of-follows.reaction.js';
import { NotifyOfLikes } from './notification/notify-of-likes.reaction.js';
import { NotifyOfMentions } from './notification/notify-of-mentions.reaction.js';
import { NotifyOfReviews } from './notification/notify-of-reviews.reaction.js';
import { NotifyOfSubscriptions } from './notification/notify-of-subscriptions.reaction.js';
import { BlockRows } from './projections/block.schema.js';
import { ContactRows } from './projections/contact.schema.js';
import { KnownBlocks } from './projections/known-blocks.js';
import { KnownContacts } from './projections/known-contacts.js';
import { KnownUsers } from './projections/known-users.js';
import { UserRows } from './projections/user.schema.js';
import { MessagingSettings } from './settings.js';
import { AnnouncedSubscriptions } from './store/announced-subscription.schema.js';
import { AnnouncedTexts } from './store/announced-text.schema.js';
import { ConversationCollection } from './store/conversation.schema.js';
import { DevMailCollection } from './store/dev-mail.schema.js';
import { ExportedRows } from './store/exported-rows.js';
import { MailRepository } from './store/mail.repository.js';
import { MailCollection } from './store/mail.schema.js';
import { MessageCollection } from './store/message.schema.js';
import { NotificationCollection } from './store/notification.schema.js';
import { AnnounceSubscriptions } from './subscription/announce-subscriptions.reaction.js';

const PURGE_MS = 60 * 60_000;
const LATE_NOTES_MS = 10 * 60_000;

/** Conversations, messages, notifications and mails. `mail-worker.ts` sends the mails. */
export const messaging = defineService({
  name: 'messaging',
  rpc: rpcContracts.messaging,
  handlers: {
    listConversations: ListConversations,
    startConversation: StartConversation,
    listMessages: ListMessages,
    sendMessage: SendMessage,
    markConversationRead: MarkConversationRead,
    listNotifications: ListNotifications,
    markNotificationsRead: MarkNotificationsRead,
    getUnreadCounts: GetUnreadCounts,
    listNews: ListNews,
  },
  settings: MessagingSettings,
  store: mongo({
    collections: [
      // People
      ...[UserRows, BlockRows, ContactRows],
      // Conversations and messages
      ...[ConversationCollection, MessageCollection, AnnouncedSubscriptions],
      // Notifications
      ...[NotificationCollection, AnnouncedTexts],
      // Mails
      ...[MailCollection, DevMailCollection],
    ],
    acknowledges: messagingErasureTopic,
  }),
  module: MessagingModule,
  consumes: [
    userTopic,
    contactTopic,
    blockTopic,
    followTopic,
    reviewTopic,
    userSuspensionTopic,
    postTopic,
    commentTopic,
    likeTopic,
    subscriptionTopic,
    paymentNoticeTopic,
    accountNoticeTopic,
    erasureTopic,
  ],
  projections: [
    // People
    ...[KnownUsers, KnownBlocks, KnownContacts],
  ],
  reactions: [
    // Conversations and messages
    AnnounceSubscriptions,
    // Notifications
    ...[NotifyOfLikes, NotifyOfComments, NotifyOfFollows, NotifyOfReviews, NotifyOfSubscriptions],
    NotifyOfMentions,
    // Mails
    ...[WelcomeMail, AccountMails],
    ...[TellOfHiddenPosts, TellOfHiddenComments, TellOfSuspensions, TellOfPayments],
  ],
  eraser: EraseMessaging,
  exports: ExportedRows,
  jobs: [
    job('purge of mails', PURGE_MS, MailRepository, (mails, stopping) => mails.purge(stopping)),
    job('telling of subscriptions late', LATE_NOTES_MS, AnnounceSubscriptions, (reaction, stopping) =>
      reaction.announceLate(stopping),
    ),
  ],
  signals: true,
  commands: moderationCommands,
  queues: [MailQueue],
});
