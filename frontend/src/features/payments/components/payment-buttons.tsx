import type { Me } from '../../../api/types.js';
import { useTakesPayments } from '../../../shared/config.js';
import { usePaymentStatus } from '../api/get-payment-status.js';
import { billingPortal, payoutDashboard } from '../api/provider-pages.js';
import { usePaymentTexts } from '../texts.js';
import { OnboardingButton } from './onboarding-button.js';
import classes from './payouts.module.css';
import { ProviderPageButton } from './provider-page-button.js';

/** On a coach's own profile: Set up payouts until they are (SUBS-19), and the payout dashboard (SUBS-20). */
export function PayoutButtons({ coach }: { coach: Pick<Me, 'id'> }) {
  const { payments } = usePaymentTexts();
  const takesPayments = useTakesPayments();
  const payouts = usePaymentStatus()?.payouts;
  if (!takesPayments) return null;
  return (
    <>
      {payouts === 'started' && <p className={classes.note}>{payments.payoutsStarted}</p>}
      {payouts !== 'ready' && <OnboardingButton coach={coach} isStarted={payouts === 'started'} />}
      <ProviderPageButton
        label={payments.openPortal}
        open={payoutDashboard}
        failed={payments.portalFailed}
        unknown={payments.noPayouts}
      />
      {payouts === 'ready' && <p className={classes.note}>{payments.payoutsReady}</p>}
    </>
  );
}

/** Of a payer (SUBS-20). */
export function PortalButton() {
  const { payments } = usePaymentTexts();
  if (!useTakesPayments()) return null;
  return (
    <ProviderPageButton
      label={payments.openPortal}
      open={billingPortal}
      failed={payments.portalFailed}
      unknown={payments.nothingPaid}
    />
  );
}
