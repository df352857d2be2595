import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Frames } from '../http/kinds/event-stream.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { EventHub } from './event-hub.js';

@ApiTags('Messages and notifications')
@Controller('api/events')
export class EventsController {
  constructor(private readonly hub: EventHub) {}

  @Get()
  @Endpoint({
    kind: 'events',
    summary: 'What happens to the caller, as server-sent events',
    description: [
      'Read with fetch and the Authorization header: a token in the address is not looked at. The first event is',
      '`badges` (a Badges), sent again when a count changes. `message` (a Message) and `notification` (a Notification)',
      'are sent for new ones, `graph` (`userId` and `viewer`, a ProfileViewer) when the caller or the other user has followed,',
      'unfollowed or blocked, `subscription` (a Subscription) when one of the caller’s has changed, `subscribers` (empty) when',
      'the answer of GET /api/dashboard has changed because of a subscriber, `post-media` (`postId` or null, and `media`, a Video or',
      'an Image) when an uploaded video of the caller’s is ready or has failed; one may be sent twice. An `id` is a',
      '`Pulso-After`, to be sent with what is read because of the event, after one’s own value and a comma. The stream ends with the session,',
      'the token, or for the gateway’s own reasons; then open another one after a moment, and load anew what is shown.',
    ].join(' '),
    access: 'private',
    status: 200,
    mediaType: 'text/event-stream',
  })
  open(): Promise<Frames> {
    return this.hub.open();
  }
}
