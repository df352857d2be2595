import { useSearchParams } from 'react-router-dom';
import { Title } from '../components/title.js';
import { Unsubscribe } from '../features/unsubscribe/components/unsubscribe.js';
import { useUnsubscribeTexts } from '../features/unsubscribe/texts.js';

/** /unsubscribe?token=…, where the links of mails lead (MAIL-6). */
export default function UnsubscribePage() {
  const { app, unsubscribe } = useUnsubscribeTexts();
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  return (
    <>
      <Title>{app.title(unsubscribe.title)}</Title>
      <Unsubscribe key={token} token={token} />
    </>
  );
}
