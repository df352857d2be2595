import { useLocation } from 'react-router-dom';
import { Title } from '../components/title.js';
import { AuthCard } from '../features/auth/components/auth-card.js';
import { SignUpForm } from '../features/auth/components/sign-up-form.js';
import { useAuthTexts } from '../features/auth/texts.js';
import { OpenidSignIn } from '../features/openid/components/openid-sign-in.js';

export default function SignUpPage() {
  const { app, signUp } = useAuthTexts();
  // Set by the link of "For Coaches" on the landing page.
  const state = useLocation().state as { isCoach?: boolean } | null;
  return (
    <>
      <Title>{app.title(signUp.title)}</Title>
      <AuthCard title={signUp.title} prompt={signUp.prompt} linkTo="/login" linkText={signUp.login}>
        <SignUpForm asCoach={state?.isCoach === true} />
        <OpenidSignIn form="sign-up" />
      </AuthCard>
    </>
  );
}
