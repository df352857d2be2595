import { Controller, Delete, Get, HttpStatus, Param, Put, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BillingClient } from '../clients.js';
import { idempotencyOf } from '../http/idempotency-key.js';
import { apiCursor, listQuery } from '../http/bodies/list-query.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { required } from '../user-ref/to-user-ref.js';
import { ComposeSubscription } from './compose-subscription.js';
import {
  type Subscription,
  type SubscriptionPage,
  subscriptionPageSchema,
  subscriptionSchema,
} from './subscription.dto.js';

@ApiTags('Subscriptions and billing')
@Controller('api/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly billing: BillingClient,
    private readonly compose: ComposeSubscription,
  ) {}

  @Get()
  @ApiQuery({
    name: 'status',
    required: false,
    schema: { type: 'string', enum: ['all'] },
    description: 'Also those that give no access',
  })
  @Endpoint({
    summary: 'The caller’s subscriptions that give access, the latest first',
    access: 'private',
    paged: true,
    status: 200,
    answer: subscriptionPageSchema,
  })
  async list(@Req() request: FastifyRequest): Promise<SubscriptionPage> {
    const page = listQuery(request.query);
    const all = isAll(request.query);
    const { items, nextCursor, ended } = await this.billing.listSubscriptions({ all, ...page });
    const composed = await this.compose.list([...items, ...ended]);
    return {
      items: composed.slice(0, items.length),
      nextCursor: apiCursor(nextCursor),
      ...(ended.length > 0 && { ended: composed.slice(items.length) }),
    };
  }

  @Put(':id')
  @Endpoint({
    summary: 'Subscribe to a coach where nothing is to be paid',
    description: 'Again after it ended: the same subscription. 201 when it is made.',
    access: 'private',
    limit: 'subscriptions-account',
    bodyless: true,
    creates: true,
    upserts: true,
    status: 200,
    answer: subscriptionSchema,
    errors: [
      'not-found',
      'blocked',
      'payment-required',
      'cannot-subscribe-self',
      'not-a-coach',
      'price-not-set',
    ],
  })
  async subscribe(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Subscription> {
    const idempotency = idempotencyOf(request, {});
    const coachId = pathId(id);
    const { subscription, created } = await this.billing.subscribe({ coachId, idempotency });
    const answer = await this.compose.one(required(subscription, 'subscription'));
    if (created) reply.code(HttpStatus.CREATED);
    return answer;
  }

  @Delete(':id')
  @Endpoint({
    summary: 'End the subscription to a coach',
    description:
      'A free one ends now, a paid one with its period. Where there was none, a cancelled one is made. Repeats answer the same.',
    access: 'private',
    limit: 'subscriptions-account',
    bodyless: true,
    status: 200,
    answer: subscriptionSchema,
    errors: ['not-found', 'cannot-subscribe-self'],
  })
  async cancel(@Param('id') id: string): Promise<Subscription> {
    return this.compose.one(await this.billing.cancelSubscription({ coachId: pathId(id) }));
  }
}

/** `?status=` of the list. Throws validation-failed. */
function isAll(query: unknown): boolean {
  const { status } = query as { status?: unknown };
  if (status === undefined) return false;
  if (status === 'all') return true;
  throw validationFailed([{ path: 'status', message: 'Must be all', code: 'unknown' }]);
}
