import type { startTraceCollector } from '@pulso/platform/testing/trace-collector';
import type { JourneyPulso } from '../support/test-pulso.js';
import { waitFor } from '../support/wait-for.js';

const [FOLLOW_TRACE, POST_TRACE, BROWSER_SPAN] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(16)];

type Collector = Awaited<ReturnType<typeof startTraceCollector>>;

/** The names of a trace's spans, from the span `last` up to the browser's first one. */
function roadTo(collector: Collector, last: string, id: string): string[] {
  const spans = collector.spans.filter(({ traceId }) => traceId === id);
  const road: string[] = [];
  let span = spans.find(({ name }) => name === last);
  while (span) {
    road.unshift(span.name);
    const { parentSpanId } = span;
    if (parentSpanId === BROWSER_SPAN) road.unshift('browser');
    span = spans.find(({ spanId }) => spanId === parentSpanId);
  }
  return road;
}

export const traces = (shared: () => { pulso: JourneyPulso; collector: Collector }) =>
  describe('one trace', () => {
    const traceOf = (traceId: string, last: string) =>
      waitFor(
        async () => roadTo(shared().collector, last, traceId),
        (road) => road[0] === 'browser',
        { what: `the road of trace ${traceId} to the span ${last}` },
      );

    it('spans the browser’s request and the projection in another service', async () => {
      const { pulso } = shared();
      const [ana, ben] = [await pulso.user('ana-traced'), await pulso.user('ben-traced')];
      await pulso.drainEvents();
      const traceparent = `00-${FOLLOW_TRACE}-${BROWSER_SPAN}-01`;
      await ben.call('PUT', `/api/users/${ana.userId}/follow`, undefined, { traceparent });
      expect(await traceOf(FOLLOW_TRACE, 'posts.follow process')).toEqual([
        'browser',
        'PUT /api/users/:id/follow',
        'pulso.social.v1.SocialService/followUser',
        'pulso.social.v1.SocialService/followUser',
        'pulso.social.follow.v1 publish',
        'posts.follow process',
      ]);
    });

    it('includes the publication from the outbox of the document store', async () => {
      const { pulso } = shared();
      const cora = await pulso.user('cora-traced');
      await pulso.drainEvents();
      const traceparent = `00-${POST_TRACE}-${BROWSER_SPAN}-01`;
      await cora.post('/api/posts', { content: 'traced' }, { traceparent });
      expect(await traceOf(POST_TRACE, 'pulso.posts.post.v1 publish')).toEqual([
        'browser',
        'POST /api/posts',
        'pulso.posts.v1.PostsService/publishPost',
        'pulso.posts.v1.PostsService/publishPost',
        'pulso.posts.post.v1 publish',
      ]);
    });
  });
