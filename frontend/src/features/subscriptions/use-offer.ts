import type { RefObject } from 'react';
import type { Profile } from '../../api/types.js';
import { useStandingTexts } from '../../shared/subscribing/standing-texts.js';
import { courseOf } from '../../shared/subscribing/subscription.js';
import { useStanding } from '../../shared/subscribing/use-standing.js';
import { useSubscriptionTexts } from './texts.js';
import { useSubscribe } from './use-subscribe.js';

/** What the viewer's one button about a coach does: it subscribes, resumes or unsubscribes. `named` says so with the coach's name. */
export function useOffer(coach: Profile, target: RefObject<HTMLElement | null>) {
  const { subscribing } = useSubscriptionTexts();
  const { standing } = useStandingTexts();
  const { subscribe, busy } = useSubscribe({ coach, target });
  const { resume, unsubscribe } = useStanding({
    coach,
    unsubscribed: standing.unsubscribeDone,
    notUnsubscribed: standing.updateFailed,
    target,
  });
  const { subscribed = false, subscription = null } = coach.viewer ?? {};
  const course = subscription && courseOf(subscription);
  const offers = {
    subscribe: { label: subscribing.subscribe, named: subscribing.subscribeTo, press: subscribe },
    resume: { label: standing.resume, named: standing.resumeOf, press: resume },
    unsubscribe: { label: standing.unsubscribe, named: standing.unsubscribeFrom, press: unsubscribe },
  };
  const offer = course === 'ending' ? 'resume' : subscribed ? 'unsubscribe' : 'subscribe';
  return {
    offer,
    ...offers[offer],
    busy,
    subscribed,
    subscription,
    course,
    /** Not while access runs out; and of somebody who is no coach any more nothing can be resumed. */
    isOffered: course !== 'ended' && (offer !== 'resume' || coach.isCoach),
  };
}
