import { leaveFor } from '../../../browser/leave-for.js';
import { BusyButton } from '../../../components/busy-button.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { errorText, hasCode, hasStatus } from '../../../server/http/api-error.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { usePaymentTexts } from '../texts.js';

interface ProviderPageButtonProps {
  label: string;
  variant?: 'default' | 'filled';
  className?: string | undefined;
  /** Asks for the page that the button leads to. */
  open: () => Promise<{ url: string }>;
  failed: string;
  /** Where the provider does not know the viewer yet. */
  unknown?: string;
}

/** Leads to a page of the payment provider; a failure is told (UI-37). */
export function ProviderPageButton({
  label,
  variant = 'default',
  className,
  open,
  failed,
  unknown = failed,
}: ProviderPageButtonProps) {
  const texts = usePaymentTexts();
  const act = `provider-page:${label}`;
  const { mutate, isPending } = useSingleMutation({
    mutationFn: async () => leaveFor((await open()).url),
    onError: (error) => toast({ type: 'error', message: failure(error), act }),
  });
  const failure = (error: unknown) => {
    if (hasCode(error, 'no-billing-account')) return unknown;
    if (hasCode(error, 'outcome-unknown')) return texts.subscribing.outcomeUnknown;
    // Pulso may be well, and the provider away.
    return hasStatus(error, 503) ? failed : errorText(error, failed, texts);
  };
  return (
    <BusyButton
      variant={variant}
      className={className}
      label={label}
      busy={isPending}
      onClick={() => mutate()}
    />
  );
}
