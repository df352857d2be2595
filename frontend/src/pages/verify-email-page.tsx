import { Title } from '../components/title.js';
import { VerifyEmail } from '../features/account-links/components/verify-email.js';
import { useLinkTexts } from '../features/account-links/texts.js';
import { useLinkToken } from '../features/account-links/use-link-token.js';

/** /verify-email?token=…, where the links of mails lead (MAIL-3, UI-74). */
export default function VerifyEmailPage() {
  const { app, verify } = useLinkTexts();
  const token = useLinkToken();
  return (
    <>
      <Title>{app.title(verify.title)}</Title>
      <VerifyEmail token={token} />
    </>
  );
}
