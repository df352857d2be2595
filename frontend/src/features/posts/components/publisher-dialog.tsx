import type { Me } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { BusyButton } from '../../../components/busy-button.js';
import { Dialog } from '../../../components/dialog.js';
import { usePostTexts } from '../texts.js';
import { ContentLeft, PostFields, PostFoot } from './post-form.js';
import { usePublisher } from './use-publisher.js';
import type { PublisherProps } from './use-publisher.js';

interface PublisherDialogProps extends PublisherProps {
  viewer: Me;
  returnFocusTo: () => HTMLElement | null | undefined;
  onClose: () => void;
}

/** The publisher on phones: Post in the head, the foot above the keyboard (UI-51). */
export function PublisherDialog({ viewer, returnFocusTo, onClose, ...props }: PublisherDialogProps) {
  const { publisher } = usePostTexts();
  const { form, content, button, send } = usePublisher({ ...props, inDialog: true });
  const look = { minRows: 4, 'data-autofocus': true, 'data-publisher': true };
  return (
    <Dialog
      title={publisher.title}
      fullScreenOnPhones
      returnFocusTo={returnFocusTo}
      onClose={onClose}
      headAction={<BusyButton {...button} onClick={send} />}
      foot={
        <>
          <PostFoot form={form} />
          <ContentLeft form={form} />
        </>
      }
    >
      <PostFields form={form} face={<Avatar user={viewer} />} content={{ ...content, ...look }} />
    </Dialog>
  );
}
