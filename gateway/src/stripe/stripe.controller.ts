import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { GatewayConfig } from '../config.js';
import type { HttpErrorCode } from '../errors/error-table.js';
import { Endpoint, type EndpointOptions } from '../openapi/endpoint.decorator.js';
import { notConfigured, OwnAddresses, otherId, ownId } from './checks.js';
import {
  CheckoutBody,
  ConnectAccountBody,
  LazyPriceBody,
  OnboardingLinkBody,
  ReturnBody,
  type StripeAccount,
  stripeAccountSchema,
  type StripePrice,
  stripePriceSchema,
  type StripeUrl,
  stripeUrlSchema,
} from './stripe.dto.js';

const call = (
  summary: string,
  answer: EndpointOptions['answer'],
  errors: readonly HttpErrorCode[],
): EndpointOptions => ({
  summary,
  access: 'private',
  limit: 'payments-account',
  status: 200,
  answer,
  errors: ['payments-not-configured', ...errors],
});

/**
 * What needs a payment provider. Without one (SUBS-3) each call is refused, after the same checks as with one: a client
 * learns of its mistakes wherever it is tried out.
 */
@ApiTags('Subscriptions and billing')
@Controller('api/stripe')
export class StripeController {
  private readonly addresses: OwnAddresses;

  constructor({ PUBLIC_URL }: GatewayConfig) {
    this.addresses = new OwnAddresses(PUBLIC_URL);
  }

  @Post('checkout/create')
  @Endpoint(call('A page to pay for a subscription', stripeUrlSchema, ['cannot-subscribe-self']))
  checkout(@Body() { coachUid, success_url, cancel_url }: CheckoutBody): StripeUrl {
    this.addresses.check({ success_url, cancel_url });
    otherId(coachUid);
    throw notConfigured();
  }

  @Post('prices/lazy-create')
  @Endpoint(call('The provider’s price for the caller’s own', stripePriceSchema, ['permission-denied']))
  price(@Body() { coachUid }: LazyPriceBody): StripePrice {
    ownId(coachUid);
    throw notConfigured();
  }

  @Post('connect/create-account')
  @Endpoint(call('The caller’s account for payouts', stripeAccountSchema, ['permission-denied']))
  account(@Body() { uid }: ConnectAccountBody): StripeAccount {
    ownId(uid);
    throw notConfigured();
  }

  @Post('connect/onboarding-link')
  @Endpoint(call('A page to set up payouts', stripeUrlSchema, ['permission-denied']))
  onboarding(@Body() { uid, refresh_url, return_url }: OnboardingLinkBody): StripeUrl {
    this.addresses.check({ refresh_url, return_url });
    ownId(uid);
    throw notConfigured();
  }

  @Post('billing/portal')
  @Endpoint(call('The provider’s page of the caller as a payer', stripeUrlSchema, []))
  portal(@Body() { return_url }: ReturnBody): StripeUrl {
    this.addresses.check({ return_url });
    throw notConfigured();
  }

  @Post('connect/dashboard-link')
  @Endpoint(call('The provider’s page of the caller’s payouts', stripeUrlSchema, []))
  payouts(@Body() { return_url }: ReturnBody): StripeUrl {
    this.addresses.check({ return_url });
    throw notConfigured();
  }

  @Post('webhook')
  @Endpoint({
    summary: 'The provider’s events',
    description: 'Not for clients. The body is not parsed: its signature is of the bytes.',
    access: 'public',
    bodyless: 'ignored',
    status: 200,
    errors: ['payments-not-configured'],
  })
  webhook(): void {
    throw notConfigured();
  }
}
