import { ActionIcon, Textarea } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import type { FormEvent, KeyboardEvent, RefObject } from 'react';
import { LIMITS } from '../../../api/limits.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { leaveField } from '../../../components/shortcuts/leave-field.js';
import { typedKey } from '../../../components/shortcuts/typed-key.js';
import { written } from '../../../text/written.js';
import { isBlank, lengthError } from '../../../validation/text.js';
import { setMessageDraft, useMessageDraft } from '../outbox.js';
import { useMessagingTexts } from '../texts.js';
import classes from './thread.module.css';

/** On a touch screen Enter is a new line (UI-61): there is no Shift+Enter, and the button is near. */
const touches = (): boolean => matchMedia('(pointer: coarse)').matches;

interface ComposerProps {
  viewerId: string;
  /** The id of the receiver, and their name. */
  to: string;
  name: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: (content: string) => void;
}

/** The field of a conversation; what is written is kept until it is sent (UI-41). */
export function Composer({ viewerId, to, name, field, onSend }: ComposerProps) {
  const texts = useMessagingTexts();
  const { messaging } = texts;
  const content = useMessageDraft(viewerId, to);
  const tooLong = lengthError(messaging.field, content, LIMITS.messageLength, texts);
  const ready = !isBlank(content) && !tooLong;

  const send = () => {
    if (!ready) return;
    setMessageDraft(viewerId, to, '');
    onSend(written(content));
    // From the button: what is typed next belongs into the field.
    field.current?.focus();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const key = typedKey(event);
    if (key === 'Escape') leaveField(event);
    if (key !== 'Enter') return;
    const meant = event.ctrlKey || event.metaKey || (!event.shiftKey && !event.altKey && !touches());
    if (!meant) return;
    event.preventDefault();
    send();
  };

  return (
    <form className={classes.composer} onSubmit={onSubmit}>
      <div className={classes.field}>
        <Textarea
          ref={field}
          aria-label={messaging.placeholder(name)}
          placeholder={messaging.placeholder(name)}
          autosize
          minRows={1}
          // A long name in the placeholder is cut, not wrapped.
          maxRows={content ? 6 : 1}
          value={content}
          error={tooLong}
          onChange={(event) => setMessageDraft(viewerId, to, event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <CharactersLeft text={content} limit={LIMITS.messageLength} />
      </div>
      <ActionIcon
        type="submit"
        size={44}
        aria-label={messaging.send}
        title={messaging.send}
        aria-disabled={!ready}
        data-disabled={!ready || undefined}
      >
        <IconSend2 size={20} aria-hidden />
      </ActionIcon>
    </form>
  );
}
