import { Title } from '../components/title.js';
import { AuthCard } from '../features/auth/components/auth-card.js';
import { LoginForm } from '../features/auth/components/login-form.js';
import { useAuthTexts } from '../features/auth/texts.js';
import { PasskeyLogIn } from '../features/passkeys/components/passkey-log-in.js';
import { OpenidSignIn } from '../features/openid/components/openid-sign-in.js';
import { useSession } from '../server/session/session.js';

export default function LoginPage() {
  const { app, login } = useAuthTexts();
  const state = useSession();
  return (
    <>
      <Title>{app.title(login.submit)}</Title>
      <AuthCard title={login.title} prompt={login.prompt} linkTo="/signup" linkText={login.createAccount}>
        <LoginForm signedOutByServer={state.status === 'signed-out' && state.reason === 'ended'} />
        <PasskeyLogIn />
        <OpenidSignIn form="log-in" />
      </AuthCard>
    </>
  );
}
