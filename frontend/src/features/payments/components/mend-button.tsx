import { billingPortal } from '../api/provider-pages.js';
import { usePaymentTexts } from '../texts.js';
import classes from './payment-due.module.css';
import { ProviderPageButton } from './provider-page-button.js';

/** Where a payment has failed: leads to the payer's portal, for another card (SUBS-33). `quiet`: in the bar, beside the page's own action. */
export function MendButton({ quiet = false }: { quiet?: boolean }) {
  const { payments } = usePaymentTexts();
  return (
    <ProviderPageButton
      label={payments.mend}
      variant={quiet ? 'default' : 'filled'}
      className={quiet ? undefined : classes.onPage}
      open={billingPortal}
      failed={payments.portalFailed}
      unknown={payments.nothingPaid}
    />
  );
}
