import type { Me } from '../../../api/types.js';
import { useTakesPayments } from '../../../shared/config.js';
import { billingPortal, onboarding, payoutDashboard } from '../api/provider-pages.js';
import { usePaymentTexts } from '../texts.js';
import { ProviderPageButton } from './provider-page-button.js';

/** On a coach's own profile: Set up payouts (SUBS-19), and the payout dashboard (SUBS-20). */
export function PayoutButtons({ coach }: { coach: Pick<Me, 'id'> }) {
  const { payments } = usePaymentTexts();
  if (!useTakesPayments()) return null;
  return (
    <>
      <ProviderPageButton
        label={payments.setUpPayouts}
        open={() => onboarding(coach.id)}
        failed={payments.payoutsFailed}
      />
      <ProviderPageButton
        label={payments.openPortal}
        open={payoutDashboard}
        failed={payments.portalFailed}
        unknown={payments.noPayouts}
      />
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
