import type { Me } from '../../api/types.js';
import { FormAlert } from '../../components/form-alert.js';
import { useTakesPayments } from '../config.js';
import { useSubscribingTexts } from './texts.js';

/** To a coach who has set no price, where subscribing is paid by a provider: nobody can subscribe (SUBS-6). */
export function NoPriceNote({ coach }: { coach: Pick<Me, 'isCoach' | 'subscriptionPrice'> }) {
  const { subscribing } = useSubscribingTexts();
  const lacksPrice = coach.isCoach && coach.subscriptionPrice === null;
  const isPaid = useTakesPayments({ enabled: lacksPrice });
  if (!lacksPrice || !isPaid) return null;
  return <FormAlert type="warning">{subscribing.noPrice}</FormAlert>;
}
