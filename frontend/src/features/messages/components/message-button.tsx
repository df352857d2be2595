import { useNavigate } from 'react-router-dom';
import type { Profile } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { useAskToLogIn, usePendingAction } from '../../../components/login-required.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { useStartConversation } from '../api/start-conversation.js';
import { CHOSEN, pathWith } from '../conversation.js';
import { useMessagingTexts } from '../texts.js';

/** Starts the conversation with the person of a profile and goes there, also when starting failed (MSG-16). */
export function MessageButton({ profile }: { profile: Pick<Profile, 'id'> }) {
  const { messaging } = useMessagingTexts();
  const viewer = useCurrentUser();
  const navigate = useNavigate();
  const start = useStartConversation(() => void navigate(pathWith(profile.id), { state: CHOSEN }));
  const askToLogIn = useAskToLogIn();
  const writeToThem = `message:${profile.id}`;
  const open = () => {
    if (viewer?.id !== profile.id) start.mutate(profile.id);
  };
  usePendingAction(writeToThem, open);

  return (
    <BusyButton
      variant="default"
      label={messaging.message}
      busy={start.isPending}
      onClick={() => (viewer ? open() : askToLogIn(messaging.loginToMessage, writeToThem))}
    />
  );
}
