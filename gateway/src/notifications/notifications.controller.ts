import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MessagingClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { listQuery } from '../http/bodies/list-query.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { Badges } from './badges.js';
import { notificationPageSchema, ReadNotificationsBody } from './notification.dto.js';
import { toNotificationPage } from './to-notification.js';

@ApiTags('Messages and notifications')
@Controller('api/notifications')
export class NotificationsController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly badges: Badges,
  ) {}

  @Get()
  @Endpoint({
    summary: 'The caller’s notifications, newest first',
    description: 'A page may hold fewer than `limit` and still have a next one.',
    access: 'private',
    paged: true,
    conditional: true,
    status: 200,
    answer: notificationPageSchema,
    compiled: true,
  })
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = await this.messaging.listNotifications(listQuery(request.query));
    return conditional(request, reply, toNotificationPage(page));
  }

  @Post('read')
  @Endpoint({
    summary: 'Mark notifications as read, up to one of them or all',
    description: 'What arrives after the one that is named stays unread.',
    access: 'private',
    limit: 'read-marks-account',
    status: 204,
    errors: ['not-found'],
  })
  async markRead(@Body() body: ReadNotificationsBody): Promise<void> {
    const upTo = body.upTo && pathId(body.upTo, 'Notification not found');
    await this.badges.changedBy(() => this.messaging.markNotificationsRead({ upTo }));
  }
}
