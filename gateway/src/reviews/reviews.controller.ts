import { Body, Controller, Delete, Get, HttpStatus, Param, Put, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SocialClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { idempotencyOf } from '../http/idempotency-key.js';
import { listQuery } from '../http/bodies/list-query.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { required } from '../user-ref/to-user-ref.js';
import { PutReviewBody, type Review, reviewPageSchema, reviewSchema } from './review.dto.js';
import { toReview, toReviewPage } from './to-review.js';

@ApiTags('People')
@Controller('api/coaches/:id/reviews')
export class ReviewsController {
  constructor(private readonly social: SocialClient) {}

  @Get()
  @Endpoint({
    summary: 'Reviews of a coach, newest first, with their summary and the viewer’s own',
    access: 'public',
    paged: true,
    conditional: true,
    status: 200,
    answer: reviewPageSchema,
    compiled: true,
    errors: ['not-found'],
  })
  async list(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = listQuery(request.query);
    const reviews = await this.social.listReviews({ coachId: pathId(id), ...page });
    return conditional(request, reply, toReviewPage(reviews));
  }

  @Put('mine')
  @Endpoint({
    summary: 'Review a coach, or change one’s review',
    access: 'private',
    limit: 'reviews-account',
    creates: true,
    upserts: true,
    status: 200,
    answer: reviewSchema,
    errors: ['not-found', 'blocked', 'cannot-review-self', 'not-a-coach'],
  })
  async put(
    @Param('id') id: string,
    @Body() body: PutReviewBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Review> {
    const idempotency = idempotencyOf(request, body);
    const { review, created } = await this.social.putReview({ coachId: id, ...body, idempotency });
    if (created) reply.code(HttpStatus.CREATED);
    return toReview(required(review, 'review'));
  }

  @Delete('mine')
  @Endpoint({
    summary: 'Take one’s review of a coach back',
    access: 'private',
    limit: 'reviews-account',
    bodyless: true,
    status: 204,
    errors: ['not-found'],
  })
  async delete(@Param('id') id: string): Promise<void> {
    await this.social.deleteReview({ coachId: pathId(id) });
  }
}
