import { Textarea } from '@mantine/core';
import { LIMITS } from '../../../api/limits.js';
import type { Me } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { BusyButton } from '../../../components/busy-button.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { Dialog } from '../../../components/dialog.js';
import { FormAlert } from '../../../components/form-alert.js';
import { usePostTexts } from '../texts.js';
import { PhotoButton } from './photo-button.js';
import classes from './publisher.module.css';
import { usePublisher } from './use-publisher.js';
import type { PublisherProps } from './use-publisher.js';
import { VisibilityControl } from './visibility-control.js';

interface PublisherDialogProps extends PublisherProps {
  viewer: Me;
  returnFocusTo: () => HTMLElement | null | undefined;
  onClose: () => void;
}

/** The publisher on phones: Post in the head, the foot above the keyboard (UI-51). */
export function PublisherDialog({ viewer, returnFocusTo, onClose, ...props }: PublisherDialogProps) {
  const { publisher } = usePostTexts();
  const { field, button, send, failure } = usePublisher({ ...props, inDialog: true });
  const { draft, onDraft, photos, isCoach } = props;
  const { list, Panel } = photos;
  return (
    <Dialog
      title={publisher.title}
      fullScreenOnPhones
      returnFocusTo={returnFocusTo}
      onClose={onClose}
      headAction={<BusyButton {...button} onClick={send} />}
      foot={
        <>
          <PhotoButton photos={photos} />
          {isCoach && (
            <VisibilityControl
              value={draft.visibility}
              onChange={(visibility) => onDraft({ ...draft, visibility })}
            />
          )}
          <CharactersLeft text={draft.content} limit={LIMITS.postLength} />
        </>
      }
    >
      {failure && (
        <div className={classes.note}>
          <FormAlert>{failure}</FormAlert>
        </div>
      )}
      <div className={classes.writing}>
        <Avatar user={viewer} />
        <div className={classes.grow}>
          <Textarea {...field} minRows={4} data-autofocus data-publisher />
        </div>
      </div>
      {photos.isOpen && list && Panel && <Panel list={list} />}
    </Dialog>
  );
}
