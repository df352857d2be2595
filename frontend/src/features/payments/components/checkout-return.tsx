import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Profile } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { PulseMark } from '../../../components/pulse-mark.js';
import { useDelayed } from '../../../components/use-delayed.js';
import { useLiveEvents } from '../../../server/live/live-events.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { changeKey, showChanged, subscribeAct } from '../../../shared/subscribing/change-subscription.js';
import { forgetCheckout, hasNotedCheckout } from '../../../shared/subscribing/checkout-note.js';
import { checkoutEndOf, withoutCheckoutEnd } from '../../../shared/subscribing/checkout-return.js';
import { isSubscribed } from '../../../shared/subscribing/subscription.js';
import { awaitSubscription, lookAsPayer, lookAtCoach } from '../api/await-subscription.js';
import { usePaymentTexts } from '../texts.js';
import classes from './checkout-return.module.css';

/** What follows on a checkout whose page has led back to Pulso (SUBS-14): the address tells of it once. */
export function CheckoutReturn() {
  const { payments } = usePaymentTexts();
  const [params, setParams] = useSearchParams();
  const { end, coachId } = checkoutEndOf(params) ?? {};
  const [paid, setPaid] = useState<string>();
  const [isOver, setOver] = useState(false);
  if (end === 'done' && coachId !== paid) setPaid(coachId);
  const take = useEffectEvent(() => {
    setParams(withoutCheckoutEnd(params), { replace: true });
    if (end !== 'cancelled' || !hasNotedCheckout(coachId!)) return;
    forgetCheckout();
    toast({ type: 'info', message: payments.left });
  });
  useEffect(() => {
    if (end) take();
  }, [end, coachId]);
  if (paid === undefined || isOver) return null;
  return <Confirmation key={paid} coachId={paid} onOver={() => setOver(true)} />;
}

/**
 * Waits until the coach's subscription is there, whose buttons are busy meanwhile. That the provider's page has led back grants
 * nothing, and says nothing either.
 */
function Confirmation({ coachId, onOver }: { coachId: string; onOver: () => void }) {
  const { subscribing, payments, dialog } = usePaymentTexts();
  const queryClient = useQueryClient();
  // Gone to from this tab.
  const [isOwn] = useState(() => hasNotedCheckout(coachId));
  const [isLate, setLate] = useState(false);
  const [hidden, setHidden] = useState(false);
  const due = useDelayed();
  const tell = useRef<(coach: Profile) => void>(undefined);
  useLiveEvents((event) => {
    if (event.type !== 'subscription' || event.data.coach.id !== coachId) return;
    if (isSubscribed(event.data)) tell.current?.(event.data.coach);
  });
  const { mutate, isPending } = useSingleMutation({
    mutationKey: changeKey(coachId),
    mutationFn: () => {
      const heard = new Promise<Profile>((resolve) => (tell.current = resolve));
      return awaitSubscription(() => (isOwn ? lookAsPayer(coachId) : lookAtCoach(coachId)), heard);
    },
    onSuccess: async (coach) => {
      if (!coach) {
        setLate(true);
        return setHidden(false);
      }
      forgetCheckout();
      onOver();
      toast({ type: 'success', message: subscribing.done(coach.name), act: subscribeAct(coachId) });
      await showChanged(queryClient, coach, true);
    },
    // The session has ended, which is told.
    onError: onOver,
  });
  const begin = useEffectEvent(() => mutate());
  useEffect(() => begin(), []);

  if (hidden || !due) return null;
  // It goes on waiting.
  const hide = () => setHidden(true);
  if (!isLate) {
    return (
      <Dialog key="waiting" title={payments.confirming} onClose={hide}>
        <div role="status" tabIndex={-1} data-autofocus className={classes.waiting}>
          <PulseMark size={40} beating />
          <p>{payments.confirmingText}</p>
        </div>
      </Dialog>
    );
  }
  const close = isPending ? hide : onOver;
  return (
    <Dialog key="late" role="alertdialog" title={payments.late} onClose={close}>
      <p>{payments.lateText}</p>
      <DialogActions>
        <Button variant="default" onClick={close}>
          {dialog.close}
        </Button>
        <BusyButton
          data-autofocus
          label={payments.lookAgain}
          busyLabel={payments.looking}
          busy={isPending}
          onClick={() => mutate()}
        />
      </DialogActions>
    </Dialog>
  );
}
