import { Title } from '../components/title.js';
import { ResetPassword } from '../features/account-links/components/reset-password.js';
import { useLinkTexts } from '../features/account-links/texts.js';
import { useLinkToken } from '../features/account-links/use-link-token.js';

/** /reset-password?token=…, where the links of mails lead (MAIL-3, UI-74). */
export default function ResetPasswordPage() {
  const { app, reset } = useLinkTexts();
  const token = useLinkToken();
  return (
    <>
      <Title>{app.title(reset.title)}</Title>
      <ResetPassword token={token} />
    </>
  );
}
