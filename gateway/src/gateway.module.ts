import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { Logger } from '@pulso/platform/logging/logger';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';
import { AuthController } from './auth/auth.controller.js';
import { EndedSessions } from './auth/ended-sessions.js';
import { RefreshCookie } from './auth/refresh-cookie.js';
import { SessionsController } from './auth/sessions.controller.js';
import { BlocksController } from './blocks/blocks.controller.js';
import { clientProviders, type GatewayClients } from './clients.js';
import { CoachesController } from './coaches/coaches.controller.js';
import { SuggestCoaches } from './coaches/suggest-coaches.js';
import { CommentsController } from './comments/comments.controller.js';
import { GatewayConfig } from './config.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { EventHub, ReadingPace } from './events/event-hub.js';
import { EventsController } from './events/events.controller.js';
import { FeedController } from './feed/feed.controller.js';
import { FollowsController } from './follows/follows.controller.js';
import { DeliverFile, DELIVERY_LIMITS, type DeliveryLimits } from './media/deliver-file.js';
import { MediaBytesClient } from './media/media-bytes-client.js';
import type { RequestTimeouts } from './http/guards/request-timeouts.js';
import { MediaController } from './media/media.controller.js';
import { MediaFilesController } from './media/media-files.controller.js';
import { StorageController } from './media/storage.controller.js';
import { FORWARD_LIMITS, ForwardUpload, type ForwardLimits } from './media/forward-upload.js';
import { UploadVolume } from './media/upload-volume.js';
import { ConversationsController } from './messages/conversations.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { Badges } from './notifications/badges.js';
import { BadgesController } from './notifications/badges.controller.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { ZodPipe } from './validation/zod-pipe.js';
import { MeController } from './me/me.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { PeopleController } from './people/people.controller.js';
import { ClaimImages } from './posts/claim-images.js';
import { PostsController } from './posts/posts.controller.js';
import { PulsoAfter } from './pulso-after/pulso-after.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReviewsController } from './reviews/reviews.controller.js';
import { ConfigController } from './public-config/config.controller.js';
import { StripeController } from './stripe/stripe.controller.js';
import { ComposeSubscription } from './subscriptions/compose-subscription.js';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.js';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller.js';
import { AvatarsController } from './users/avatars.controller.js';
import { ComposeProfile } from './profiles/compose-profile.js';
import { UsersController } from './users/users.controller.js';

export interface GatewayParts {
  config: GatewayConfig;
  clients: GatewayClients;
  ended: EndedSessions;
  pulsoAfter: PulsoAfter;
  signals: Signals;
  clock: Clock;
  logger: Logger;
  timeouts: RequestTimeouts;
  /** From one reading for a user's event streams to the next, in milliseconds: as `EventHub` has it unless given. */
  readEveryMs?: number;
  /** Other limits of uploads and deliveries than the usual ones. */
  mediaLimits?: { uploads?: Partial<ForwardLimits>; files?: Partial<DeliveryLimits> };
}

@Module({})
export class GatewayModule {
  static with({
    config,
    clients,
    ended,
    pulsoAfter,
    signals,
    clock,
    logger,
    ...rest
  }: GatewayParts): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [
        AuthController,
        SessionsController,
        MeController,
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
      ],
      providers: [
        { provide: GatewayConfig, useValue: config },
        { provide: Signals, useValue: signals },
        { provide: Clock, useValue: clock },
        { provide: Logger, useValue: logger },
        ...clientProviders(clients),
        { provide: EndedSessions, useValue: ended },
        { provide: PulsoAfter, useValue: pulsoAfter },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useClass: ZodPipe },
        RefreshCookie,
        ClaimImages,
        ComposeProfile,
        ComposeSubscription,
        SuggestCoaches,
        ...mediaProviders(config, logger, rest),
        UploadVolume,
        Badges,
        { provide: ReadingPace, useValue: new ReadingPace(rest.readEveryMs) },
        EventHub,
      ],
    };
  }
}

function mediaProviders(
  config: GatewayConfig,
  logger: Logger,
  { timeouts, mediaLimits: { uploads, files } = {} }: Pick<GatewayParts, 'timeouts' | 'mediaLimits'>,
): Provider[] {
  const bytes = new MediaBytesClient(config, logger);
  const upload = new ForwardUpload(bytes, timeouts, { ...FORWARD_LIMITS, ...uploads });
  return [
    { provide: MediaBytesClient, useValue: bytes },
    { provide: ForwardUpload, useValue: upload },
    { provide: DeliverFile, useValue: new DeliverFile(bytes, { ...DELIVERY_LIMITS, ...files }) },
  ];
}
