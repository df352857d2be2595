import { billingPortal } from '../api/provider-pages.js';
import { usePaymentTexts } from '../texts.js';
import { ProviderPageButton } from './provider-page-button.js';

/** Where a payment has failed: leads to the payer's portal, for another card (SUBS-33). `quiet`: beside the page's own action. */
export function MendButton({ quiet = false }: { quiet?: boolean }) {
  const { payments } = usePaymentTexts();
  return (
    <ProviderPageButton
      label={payments.mend}
      variant={quiet ? 'default' : 'filled'}
      open={billingPortal}
      failed={payments.portalFailed}
      unknown={payments.nothingPaid}
    />
  );
}
