import { Body, Controller, Get, Patch, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { requireCaller } from '@pulso/platform/context/request-context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdentityClient } from '../clients.js';
import { mediaNotAttachable } from '../errors/http-problem.js';
import { conditional } from '../http/conditional.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ComposeProfile, toMe } from '../users/compose-profile.js';
import { required } from '../user-ref/to-user-ref.js';
import { type Me, meSchema } from '../users/user.dto.js';
import { UpdateMeBody } from './me.dto.js';

@ApiTags('Authentication and account')
@Controller('api/me')
export class MeController {
  constructor(
    private readonly identity: IdentityClient,
    private readonly profiles: ComposeProfile,
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
    const [account, numbers] = await Promise.all([this.identity.getMe({}), this.profiles.numbers(userId)]);
    return conditional(request, reply, toMe(account, required(account.user, 'user'), numbers));
  }

  @Patch()
  @Endpoint({
    summary: 'Change the profile or the account',
    description:
      'A new e-mail needs `currentPassword`, or a sign-in within 5 minutes, and counts once verified. Only coaches, judged with the same request’s `isCoach`, have a price.',
    access: 'private',
    status: 200,
    answer: meSchema,
    errors: [
      'permission-denied',
      'wrong-password',
      'email-already-in-use',
      'username-taken',
      'media-not-attachable',
    ],
  })
  async update(@Body() body: UpdateMeBody): Promise<Me> {
    // Pictures come with the media service: until then nothing can be attached.
    if (body.profileImageId) throw mediaNotAttachable();
    return this.profiles.me(await this.identity.updateMe(toRequest(body)));
  }
}

function toRequest(body: UpdateMeBody): UpdateMeRequest {
  const { specialties, subscriptionPrice: price, profileImageId, ...same } = body;
  return {
    ...same,
    specialties: specialties && { values: specialties },
    // Whole minor units: steps of 0.5 are exact in binary.
    subscriptionPriceMinor:
      price === undefined ? undefined : { value: price === null ? undefined : price * 100 },
    profileImageId: profileImageId === undefined ? undefined : (profileImageId ?? ''),
  };
}
