import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { Logger } from '@pulso/platform/logging/logger';
import { AuthController } from './auth/auth.controller.js';
import { EndedSessions } from './auth/ended-sessions.js';
import { RefreshCookie } from './auth/refresh-cookie.js';
import { SessionsController } from './auth/sessions.controller.js';
import { BlocksController } from './blocks/blocks.controller.js';
import { clientProviders, type GatewayClients } from './clients.js';
import { CoachesController } from './coaches/coaches.controller.js';
import { CommentsController } from './comments/comments.controller.js';
import { GatewayConfig } from './config.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { FeedController } from './feed/feed.controller.js';
import { FollowsController } from './follows/follows.controller.js';
import { ZodPipe } from './openapi/zod-pipe.js';
import { MeController } from './me/me.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { PostsController } from './posts/posts.controller.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReviewsController } from './reviews/reviews.controller.js';
import { ConfigController } from './settings/config.controller.js';
import { AvatarsController } from './users/avatars.controller.js';
import { ComposeProfile } from './users/compose-profile.js';
import { UsersController } from './users/users.controller.js';

export interface GatewayParts {
  config: GatewayConfig;
  clients: GatewayClients;
  ended: EndedSessions;
  limiter: RateLimiter;
  logger: Logger;
}

@Module({})
export class GatewayModule {
  static with({ config, clients, ended, limiter, logger }: GatewayParts): DynamicModule {
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
        FollowsController,
        BlocksController,
        ReviewsController,
        ReportsController,
        FeedController,
        PostsController,
        CommentsController,
        OpenApiController,
      ],
      providers: [
        { provide: GatewayConfig, useValue: config },
        { provide: Logger, useValue: logger },
        ...clientProviders(clients),
        { provide: EndedSessions, useValue: ended },
        { provide: RateLimiter, useValue: limiter },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useClass: ZodPipe },
        RefreshCookie,
        ComposeProfile,
      ],
    };
  }
}
