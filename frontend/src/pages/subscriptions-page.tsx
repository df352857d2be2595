import { Title } from '../components/title.js';
import { MySubscriptions } from '../features/my-subscriptions/components/my-subscriptions.js';
import { useMySubscriptionTexts } from '../features/my-subscriptions/texts.js';
import { MendButton } from '../features/payments/components/mend-button.js';
import { PortalButton } from '../features/payments/components/payment-buttons.js';
import { Column } from './parts/column.js';

/** /subscriptions (SUBS-23). */
export default function SubscriptionsPage() {
  const { app, mine } = useMySubscriptionTexts();
  return (
    <Column>
      <Title>{app.title(mine.title)}</Title>
      <MySubscriptions action={<PortalButton />} mend={<MendButton />} />
    </Column>
  );
}
