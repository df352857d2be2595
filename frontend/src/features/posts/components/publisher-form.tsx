import type { FormEvent } from 'react';
import { BusyButton } from '../../../components/busy-button.js';
import { ContentLeft, PostFields, PostFoot } from './post-form.js';
import classes from './publisher.module.css';
import { usePublisher } from './use-publisher.js';
import type { PublisherProps } from './use-publisher.js';

interface PublisherFormProps extends PublisherProps {
  /** One line, without what belongs to a post that is being written. */
  folded: boolean;
  /** A press or a key in the field, which may have the focus already while it is folded: after a post. */
  onUse: () => void;
}

/** The publisher in the feed's card: the field, and below it the photos and the foot with Post. */
export function PublisherForm({ folded, onUse, ...props }: PublisherFormProps) {
  const { form, content, button, send } = usePublisher({ ...props, inDialog: false });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const look = {
    ...{ classNames: { input: classes.field }, minRows: folded ? 1 : 2, maxRows: 16 },
    ...{ onClick: onUse, onInput: onUse, 'data-publisher': true },
  };
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <PostFields form={form} content={{ ...content, ...look }} />
      {!folded && (
        <div className={classes.foot}>
          <PostFoot form={form} />
          <div className={classes.end}>
            <ContentLeft form={form} />
            <BusyButton {...button} className={classes.submit} />
          </div>
        </div>
      )}
    </form>
  );
}
