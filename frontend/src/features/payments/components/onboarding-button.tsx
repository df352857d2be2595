import type { Me } from '../../../api/types.js';
import { onboarding } from '../api/provider-pages.js';
import { usePaymentTexts } from '../texts.js';
import { ProviderPageButton } from './provider-page-button.js';

interface OnboardingButtonProps {
  coach: Pick<Me, 'id'>;
  /** The provider's form was left before its end, or the provider asks for more. */
  isStarted: boolean;
}

/** Leads to the form in which a coach tells the provider who they are and where money is sent (SUBS-19). */
export function OnboardingButton({ coach, isStarted }: OnboardingButtonProps) {
  const { payments } = usePaymentTexts();
  return (
    <ProviderPageButton
      label={isStarted ? payments.finishPayouts : payments.setUpPayouts}
      open={() => onboarding(coach.id)}
      failed={payments.payoutsFailed}
    />
  );
}
