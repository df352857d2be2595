import { Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import { LIMITS } from '../../../api/limits.js';
import { BusyButton } from '../../../components/busy-button.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { PhotoButton } from './photo-button.js';
import classes from './publisher.module.css';
import { usePublisher } from './use-publisher.js';
import type { PublisherProps } from './use-publisher.js';
import { VisibilityControl } from './visibility-control.js';

interface PublisherFormProps extends PublisherProps {
  /** One line, without what belongs to a post that is being written. */
  folded: boolean;
  /** A press or a key in the field, which may have the focus already while it is folded: after a post. */
  onUse: () => void;
}

/** The publisher's field in the feed, and below it the photos and the foot: Photo, who may read, and Post. */
export function PublisherForm({ folded, onUse, ...props }: PublisherFormProps) {
  const { field, button, send } = usePublisher({ ...props, inDialog: false });
  const { draft, onDraft, photos, isCoach } = props;
  const { list, Panel } = photos;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <Textarea
        {...field}
        classNames={{ input: classes.field }}
        minRows={folded ? 1 : 2}
        maxRows={16}
        onClick={onUse}
        onInput={onUse}
        data-publisher
      />
      {photos.isOpen && list && Panel && <Panel list={list} />}
      {!folded && (
        <div className={classes.foot}>
          <PhotoButton photos={photos} />
          {isCoach && (
            <VisibilityControl
              value={draft.visibility}
              onChange={(visibility) => onDraft({ ...draft, visibility })}
            />
          )}
          <div className={classes.end}>
            <CharactersLeft text={draft.content} limit={LIMITS.postLength} />
            <BusyButton {...button} className={classes.submit} />
          </div>
        </div>
      )}
    </form>
  );
}
