import { useLocation } from 'react-router-dom';
import { Title } from '../components/title.js';
import { ForgotPassword } from '../features/account-links/components/forgot-password.js';
import { useLinkTexts } from '../features/account-links/texts.js';

/** /forgot-password (UI-74). */
export default function ForgotPasswordPage() {
  const { app, forgot } = useLinkTexts();
  // Set by the link of the login.
  const state = useLocation().state as { email?: string } | null;
  return (
    <>
      <Title>{app.title(forgot.title)}</Title>
      <ForgotPassword known={state?.email ?? ''} />
    </>
  );
}
