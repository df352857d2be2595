import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SubscriberPage } from '@pulso/contracts/billing/v1/billing';
import type { FastifyRequest } from 'fastify';
import { BillingClient, IdentityClient } from '../clients.js';
import { listQuery } from '../http/bodies/list-query.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { required } from '../user-ref/to-user-ref.js';
import { type Dashboard, dashboardSchema } from './dashboard.dto.js';
import { toDashboard } from './to-dashboard.js';

@ApiTags('Subscriptions and billing')
@Controller('api/dashboard')
export class DashboardController {
  constructor(
    private readonly billing: BillingClient,
    private readonly identity: IdentityClient,
  ) {}

  @Get()
  @Endpoint({
    summary: 'A coach’s figures, and a page of everyone who ever subscribed, newest first',
    description:
      '`limit` and `cursor` are those of `subscribers`. E-mail addresses are shown only of those with access now.',
    access: 'private',
    paged: true,
    status: 200,
    answer: dashboardSchema,
    errors: ['permission-denied'],
  })
  async get(@Req() request: FastifyRequest): Promise<Dashboard> {
    const page = listQuery(request.query);
    const [figures, subscribers] = await Promise.all([
      this.billing.getDashboard({}),
      this.billing.listSubscribers(page),
    ]);
    return toDashboard(figures, subscribers, await this.emailsOf(subscribers));
  }

  /** Rejects where identity does not answer: null would say that the subscriber has no access any more (SUBS-31). */
  private async emailsOf({ items }: SubscriberPage): Promise<ReadonlyMap<string, string>> {
    const withAccess = items.filter(({ givesAccess }) => givesAccess);
    const userIds = withAccess.map(({ user }) => required(user, 'user').id);
    if (userIds.length === 0) return new Map();
    const { emails } = await this.identity.listSubscriberEmails({ userIds });
    return new Map(emails.map(({ userId, email }) => [userId, email]));
  }
}
