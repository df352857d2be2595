import { billing } from '@pulso/billing/service';
import type { ServiceName } from '@pulso/contracts/rpc';
import { identity } from '@pulso/identity/service';
import { media } from '@pulso/media/service';
import { messaging } from '@pulso/messaging/service';
import type { ServiceDefinition } from '@pulso/platform/service/define-service';
import { posts } from '@pulso/posts/service';
import { social } from '@pulso/social/service';

/** All services. Read by the embedded launcher, the cluster tools, the journeys and the topics command. */
export const SERVICES: Readonly<Record<ServiceName, ServiceDefinition>> = {
  billing,
  identity,
  media,
  messaging,
  posts,
  social,
};
