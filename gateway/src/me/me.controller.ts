import { Body, Controller, Delete, Get, Patch, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { requireCaller } from '@pulso/platform/context/request-context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EndedSessions } from '../auth/ended-sessions.js';
import { RefreshCookie } from '../auth/refresh-cookie.js';
import { BillingClient, IdentityClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { ClaimMedia } from '../media/claim-media.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ComposeProfile, toMe } from '../profiles/compose-profile.js';
import { required } from '../user-ref/to-user-ref.js';
import { type Me, meSchema } from '../profiles/profile.dto.js';
import { EraseMeBody, UpdateMeBody } from './me.dto.js';

@ApiTags('Authentication and account')
@Controller('api/me')
export class MeController {
  constructor(
    private readonly billing: BillingClient,
    private readonly identity: IdentityClient,
    private readonly claims: ClaimMedia,
    private readonly profiles: ComposeProfile,
    private readonly cookie: RefreshCookie,
    private readonly ended: EndedSessions,
  ) {}

  @Get()
  @Endpoint({
    summary: 'The caller’s own profile and account',
    access: 'private',
    conditional: true,
    status: 200,
    answer: meSchema,
  })
  async get(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const { userId } = requireCaller();
    const [account, numbers, storage] = await Promise.all([
      this.identity.getMe({}),
      this.profiles.numbers(userId),
      this.profiles.storage(),
    ]);
    return conditional(request, reply, toMe(account, required(account.user, 'user'), numbers, storage));
  }

  @Patch()
  @Endpoint({
    summary: 'Change the profile or the account',
    description:
      'A new e-mail needs `currentPassword`, or a sign-in within 5 minutes, and counts once verified. Only coaches, judged with the same request’s `isCoach`, have a price and specialties. A username can be changed 3 times in 30 days. `profileImageId` is an upload with the purpose `avatar`; null takes the picture away.',
    access: 'private',
    limit: ['password-account-address', 'password-account', 'me-edits-account', 'email-changes-account'],
    status: 200,
    answer: meSchema,
    errors: [
      'permission-denied',
      'wrong-password',
      'email-already-in-use',
      'username-taken',
      'too-many-renames',
      'too-many-former-usernames',
      'media-not-attachable',
      'price-below-minimum',
    ],
  })
  async update(@Body() body: UpdateMeBody): Promise<Me> {
    const request = toRequest(body);
    // First: while billing does not answer, nothing of the request is done (SUBS-4, SUBS-32).
    if (namesPrice(body)) {
      const { subscriptionPriceMinor, subscriptionCurrency: currency = '' } = request;
      await this.billing.checkPrice({ priceMinor: subscriptionPriceMinor?.value, currency });
    }
    const account = await this.claims.forProfile(body.profileImageId, (profileImageTicket) =>
      this.identity.updateMe({ ...request, profileImageTicket }),
    );
    return this.profiles.me(account);
  }

  /** ACCT-32, HTTP-44. */
  @Delete()
  @Endpoint({
    summary: 'Erase the account',
    description:
      'All sessions end at once, and nobody sees the account any more. What all services hold of it is erased within minutes; comments and messages stay, without a name. It cannot be taken back. `password` is left out where a passkey was shown in the session within 5 minutes, at its sign-in or later; an account without a password must have signed in within 5 minutes.',
    access: 'private',
    limit: ['password-account-address', 'password-account', 'erasures-account', 'erasures-address'],
    setsCookie: true,
    status: 202,
    errors: ['wrong-password'],
  })
  async erase(
    @Body() { password = '' }: EraseMeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.identity.eraseMe({ password });
    this.cookie.clear(reply);
    // The gateway reads identity's list, since only identity knows which sessions these were.
    await this.ended.refresh();
  }
}

/** Whether identity hands a price over to billing; it refuses one of a member, which needs no question. */
function namesPrice({ isCoach, subscriptionPrice, subscriptionCurrency }: UpdateMeBody): boolean {
  if (subscriptionCurrency !== undefined || typeof subscriptionPrice === 'number') return isCoach !== false;
  return subscriptionPrice === null;
}

function toRequest(body: UpdateMeBody): UpdateMeRequest {
  const { specialties, subscriptionPrice: price, profileImageId, emails, ...same } = body;
  return {
    ...same,
    specialties: specialties && { values: specialties },
    // Whole minor units: steps of 0.5 are exact in binary.
    subscriptionPriceMinor:
      price === undefined ? undefined : { value: price === null ? undefined : price * 100 },
    profileImageId: profileImageId === undefined ? undefined : (profileImageId ?? ''),
    emails,
  };
}
