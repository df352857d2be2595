import { useRef } from 'react';
import type { ReactNode } from 'react';
import type { Post } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { useSubscriptionTexts } from '../texts.js';
import { useSubscribe } from '../use-subscribe.js';
import { MonthlyPrice } from './monthly-price.js';
import classes from './subscribe.module.css';

/** What a locked post offers (SUBS-25); nothing where its author is no coach any more. */
export const paywallOf = ({ author }: Post): ReactNode => author.isCoach && <Paywall author={author} />;

/** Under a locked post: Subscribe with the price (SUBS-25). The post that opens takes the focus of the button. */
export function Paywall({ author }: Pick<Post, 'author'>) {
  const { subscribing } = useSubscriptionTexts();
  const row = useFocusHandover<HTMLDivElement>('article');
  const button = useRef<HTMLButtonElement>(null);
  const { subscribe, busy } = useSubscribe({ coach: author, target: button });
  return (
    // Alone in its parent, so that the focus goes to the post, not to what stands above.
    <div className={classes.alone}>
      <div ref={row} className={classes.paywall}>
        <BusyButton
          ref={button}
          // Quiet: several locked posts may stand under each other.
          variant="default"
          label={subscribing.subscribe}
          busyLabel={subscribing.busy}
          busy={busy}
          aria-label={busy ? undefined : subscribing.subscribeTo(author.name)}
          onClick={subscribe}
        />
        <MonthlyPrice coach={author} />
      </div>
    </div>
  );
}
