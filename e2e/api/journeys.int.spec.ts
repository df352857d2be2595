import { startTraceCollector } from '@pulso/platform/testing/trace-collector';
import { startJourneyPulso } from '../support/start-pulso.js';
import type { JourneyPulso } from '../support/test-pulso.js';
import { accountLinks } from './account-links.journey.js';
import { accountOperators } from './account-operators.journey.js';
import { archives } from './archive.journey.js';
import { badInput } from './bad-input.journey.js';
import { closedPictures } from './closed-pictures.journey.js';
import { closedVideos } from './closed-videos.journey.js';
import { firstDay } from './first-day.journey.js';
import { guestPages } from './guest-pages.journey.js';
import { guestBuild } from '../support/guest-build.js';
import { importing } from './import.journey.js';
import { live } from './live.journey.js';
import { mail } from './mail.journey.js';
import { messages } from './messages.journey.js';
import { moderation } from './people-moderation.journey.js';
import { postPictures } from './post-pictures.journey.js';
import { sameLetters } from './same-letters.journey.js';
import { subscriptions } from './subscriptions.journey.js';
import { traces } from './traces.journey.js';

/**
 * Journeys that share one Pulso, because starting one on the cluster takes most of a journey's time. Each has users of
 * its own and needs no empty feed or directory, and none stops a service. A journey of which one of these is not true is a
 * suite with a Pulso of its own.
 */
describe('on one Pulso', () => {
  let pulso: JourneyPulso;
  let collector: Awaited<ReturnType<typeof startTraceCollector>>;
  const build = guestBuild();

  beforeAll(async () => {
    collector = await startTraceCollector();
    pulso = await startJourneyPulso({ tracesTo: collector.endpoint, staticDirectory: build.directory });
  });
  afterAll(async () => {
    await pulso?.close();
    await collector?.close();
    build.remove();
  });

  const shared = () => pulso;
  // First, because it counts the mails of all users.
  mail(shared);
  accountLinks(shared);
  accountOperators(shared);
  firstDay(shared);
  messages(shared);
  live(shared);
  moderation(shared);
  importing(shared);
  postPictures(shared, () => pulso.operate);
  closedPictures(shared);
  closedVideos(shared);
  archives(shared);
  subscriptions(shared);
  sameLetters(shared);
  // On Kubernetes the gateway has the pages of its image, and nobody collects traces.
  if (process.env.PULSO_TEST_PROFILE !== 'kubernetes') {
    guestPages(shared);
    traces(() => ({ pulso, collector }));
  }
  badInput(shared);
});
