import { useEffect, useState } from 'react';
import type { Me } from '../../../api/types.js';
import { FormAlert } from '../../../components/form-alert.js';
import { usePaymentStatus } from '../api/get-payment-status.js';
import { forgetOnboarding, hasNotedOnboarding } from '../onboarding-note.js';
import { usePaymentTexts } from '../texts.js';
import { OnboardingButton } from './onboarding-button.js';
import classes from './payouts.module.css';

/** In ms: the provider looks at a form that was sent, and tells Pulso by an event. */
const LOOK_AGAIN_MS = 2500;
const LOOKS_MS = 15_000;

/**
 * On the dashboard, to which the provider's form leads back: that payouts are set up, to who comes from there; and what is missing
 * until they are (SUBS-19).
 */
export function PayoutNote({ coach }: { coach: Pick<Me, 'id'> }) {
  const { payments } = usePaymentTexts();
  const [comesFromForm] = useState(() => hasNotedOnboarding(coach.id));
  const [until] = useState(() => Date.now() + LOOKS_MS);
  useEffect(() => {
    if (comesFromForm) forgetOnboarding();
  }, [comesFromForm]);
  const payouts = usePaymentStatus({
    again: (status) =>
      comesFromForm && status.payouts !== 'ready' && Date.now() < until ? LOOK_AGAIN_MS : false,
  })?.payouts;
  if (payouts === 'started') {
    return (
      <section className={`card ${classes.started}`} aria-label={payments.payouts}>
        <p>{payments.payoutsStarted}</p>
        <OnboardingButton coach={coach} isStarted />
      </section>
    );
  }
  if (payouts !== 'ready' || !comesFromForm) return null;
  return <FormAlert type="success">{payments.payoutsReady}</FormAlert>;
}
