import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { CoachOrder } from '@pulso/contracts/identity/v1/identity';
import { TEXT_LIMITS } from '@pulso/contracts/limits';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { IdentityClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { listQuery } from '../http/bodies/list-query.js';
import { queryText } from '../http/bodies/query-text.js';
import { answer } from '../validation/named-schemas.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ComposeProfile } from '../profiles/compose-profile.js';
import { profileListSchema, profilePageSchema } from '../profiles/profile.dto.js';
import { SuggestCoaches } from './suggest-coaches.js';

export const specialtyListSchema = answer(
  'SpecialtyList',
  z.object({
    items: z.array(z.string()).meta({ description: 'Sorted, each once whatever the form of its letters' }),
  }),
  { items: ['Boxing', 'Cardio', 'CrossFit'] },
);

type SpecialtyList = z.output<typeof specialtyListSchema>;

@ApiTags('People')
@Controller('api')
export class CoachesController {
  constructor(
    private readonly identity: IdentityClient,
    private readonly profiles: ComposeProfile,
    private readonly suggestCoaches: SuggestCoaches,
  ) {}

  @Get('coaches')
  @ApiQuery({
    name: 'q',
    required: false,
    schema: { type: 'string', maxLength: TEXT_LIMITS.search.max },
    description: 'Part of the name, the bio or a specialty, whatever the case and accents',
  })
  @ApiQuery({
    name: 'specialty',
    required: false,
    schema: { type: 'string', maxLength: TEXT_LIMITS.search.max },
    description: 'One of the coach’s specialties as a whole, whatever the form of its letters',
  })
  @ApiQuery({
    name: 'sort',
    required: false,
    schema: { type: 'string', enum: ['merit'] },
    description:
      'By rating × number of reviews, then followers, both highest first, then id; without it by name. The order stays the same from page to page.',
  })
  @Endpoint({
    summary: 'The coach directory, by name or by merit',
    description: 'A page may hold fewer than `limit` and still have a next one.',
    access: 'public',
    paged: true,
    conditional: true,
    status: 200,
    answer: profilePageSchema,
    compiled: true,
  })
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = listQuery(request.query);
    const q = queryText(request, 'q', TEXT_LIMITS.search);
    const specialty = queryText(request, 'specialty', TEXT_LIMITS.search);
    const order = orderOf(request.query);
    const coaches = await this.identity.listCoaches({ q, specialty, order, ...page });
    return conditional(request, reply, await this.profiles.page(coaches));
  }

  @Get('coaches/suggested')
  @Endpoint({
    summary: 'Coaches to follow',
    description:
      'At most 10 whom the caller does not follow: first those followed by people whom the caller follows, each part by merit.',
    access: 'private',
    conditional: true,
    status: 200,
    answer: profileListSchema,
  })
  async suggested(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    return conditional(request, reply, { items: await this.suggestCoaches.execute() });
  }

  @Get('specialties')
  @Endpoint({
    summary: 'All known specialties, sorted',
    access: 'public',
    shared: true,
    conditional: true,
    status: 200,
    answer: specialtyListSchema,
  })
  async specialties(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const { specialties: items } = await this.identity.listSpecialties({});
    reply.header('cache-control', 'public, no-cache');
    return conditional(request, reply, { items } satisfies SpecialtyList);
  }
}

/** `?sort=` of the directory. Throws validation-failed. */
function orderOf(query: unknown): CoachOrder {
  const { sort } = query as { sort?: unknown };
  if (sort === undefined) return CoachOrder.COACH_ORDER_UNSPECIFIED;
  if (sort === 'merit') return CoachOrder.COACH_ORDER_MERIT;
  throw validationFailed([{ path: 'sort', message: 'Must be merit', code: 'unknown' }]);
}
