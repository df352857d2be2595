import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { Logger } from '@pulso/platform/logging/logger';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';
import { EndedSessions } from './auth/ended-sessions.js';
import { OpenSession } from './auth/open-session.js';
import { RefreshCookie } from './auth/refresh-cookie.js';
import { clientProviders } from './client-providers.js';
import type { GatewayClients } from './connect-services.js';
import { SuggestCoaches } from './coaches/suggest-coaches.js';
import { GatewayConfig } from './config.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { EventHub, ReadingPace } from './events/event-hub.js';
import { ComposeExport } from './export/compose-export.js';
import { ArchiveAddress } from './media/archive-address.js';
import { DeliverFile } from './media/deliver-file.js';
import { MediaBytesClient } from './media/media-bytes-client.js';
import type { RequestTimeouts } from './http/guards/request-timeouts.js';
import { type ForwardLimits, ForwardPieces, ForwardUpload } from './media/forward-upload.js';
import { UploadVolume } from './media/upload-volume.js';
import { Badges } from './notifications/badges.js';
import { CONTROLLERS } from './services.js';
import { ZodPipe } from './validation/zod-pipe.js';
import { ClaimMedia } from './media/claim-media.js';
import { OpenidCookie } from './openid-sign-in/openid-cookie.js';
import { PulsoAfter } from './pulso-after/pulso-after.js';
import { ComposeSubscription } from './subscriptions/compose-subscription.js';
import { ComposeProfile } from './profiles/compose-profile.js';

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
  mediaLimits?: {
    uploads?: Partial<ForwardLimits>;
    pieces?: Partial<ForwardLimits>;
    files?: ConstructorParameters<typeof DeliverFile>[1];
  };
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
      controllers: [...CONTROLLERS],
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
        OpenSession,
        OpenidCookie,
        ClaimMedia,
        { provide: ArchiveAddress, useValue: new ArchiveAddress(ended) },
        ComposeExport,
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
  { timeouts, mediaLimits: { uploads, pieces, files } = {} }: Pick<GatewayParts, 'timeouts' | 'mediaLimits'>,
): Provider[] {
  const bytes = new MediaBytesClient(config, logger);
  return [
    { provide: MediaBytesClient, useValue: bytes },
    { provide: ForwardUpload, useValue: new ForwardUpload(timeouts, uploads) },
    { provide: ForwardPieces, useValue: new ForwardPieces(timeouts, pieces) },
    { provide: DeliverFile, useValue: new DeliverFile(bytes, files) },
  ];
}
