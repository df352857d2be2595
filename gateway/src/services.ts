import type { Type } from '@nestjs/common';
import type { ServiceName } from '@pulso/contracts/rpc';
import { AuthController } from './auth/auth.controller.js';
import { EmailLinksController } from './auth/email-links.controller.js';
import { PasswordsController } from './auth/passwords.controller.js';
import { SessionsController } from './auth/sessions.controller.js';
import { BlocksController } from './blocks/blocks.controller.js';
import {
  BillingClient,
  IdentityClient,
  MediaClient,
  MessagingClient,
  PostsClient,
  SocialClient,
} from './clients.js';
import { CoachesController } from './coaches/coaches.controller.js';
import { CommentsController } from './comments/comments.controller.js';
import type { ClientClass } from './connect-services.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { EventsController } from './events/events.controller.js';
import { ArchiveController } from './export/archive.controller.js';
import { ExportController } from './export/export.controller.js';
import { FeedController } from './feed/feed.controller.js';
import { FollowsController } from './follows/follows.controller.js';
import { ImportController } from './import/import.controller.js';
import { MeController } from './me/me.controller.js';
import { MediaFilesController } from './media/media-files.controller.js';
import { MediaController } from './media/media.controller.js';
import { UploadsController } from './media/uploads.controller.js';
import { StorageController } from './media/storage.controller.js';
import { ConversationsController } from './messages/conversations.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { BadgesController } from './notifications/badges.controller.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { OpenidController } from './openid-sign-in/openid.controller.js';
import { PasskeyLogInController } from './passkeys/passkey-log-in.controller.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { PeopleController } from './people/people.controller.js';
import { PostsController } from './posts/posts.controller.js';
import { ConfigController } from './public-config/config.controller.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReviewsController } from './reviews/reviews.controller.js';
import { StripeController } from './stripe/stripe.controller.js';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.js';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller.js';
import { AvatarsController } from './users/avatars.controller.js';
import { UsersController } from './users/users.controller.js';

/** The class by which the client of each service is injected. */
export const CLIENTS: { readonly [Name in ServiceName]: ClientClass<Name> } = {
  billing: BillingClient,
  identity: IdentityClient,
  media: MediaClient,
  messaging: MessagingClient,
  posts: PostsClient,
  social: SocialClient,
};

/** All controllers. The OpenAPI document lists their paths and tags in this order. */
export const CONTROLLERS: readonly Type[] = [
  AuthController,
  PasswordsController,
  EmailLinksController,
  SessionsController,
  OpenidController,
  PasskeyLogInController,
  PasskeysController,
  MeController,
  ExportController,
  ArchiveController,
  ImportController,
  ConfigController,
  UsersController,
  AvatarsController,
  CoachesController,
  PeopleController,
  FollowsController,
  BlocksController,
  ReviewsController,
  ReportsController,
  FeedController,
  PostsController,
  CommentsController,
  MediaController,
  UploadsController,
  StorageController,
  MediaFilesController,
  ConversationsController,
  MessagesController,
  NotificationsController,
  BadgesController,
  EventsController,
  SubscriptionsController,
  DashboardController,
  StripeController,
  UnsubscribeController,
  OpenApiController,
];
