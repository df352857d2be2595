import { Textarea } from '@mantine/core';
import type { TextareaProps } from '@mantine/core';
import { IconPhoto, IconVideo } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LIMITS } from '../../../api/limits.js';
import type { Visibility } from '../../../api/types.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { FormAlert } from '../../../components/form-alert.js';
import { lazyComponent } from '../../../components/lazy-component.js';
import { LazyDialog } from '../../../components/lazy-dialog.js';
import type { PostDraft, PostText } from '../post-fields.js';
import { usePostTexts } from '../texts.js';
import { MediaButton } from './media-button.js';
import classes from './publisher.module.css';
import type { Photos } from './use-photos.js';
import type { PanelOfVideo } from './use-video.js';
import { VisibilityControl } from './visibility-control.js';

const VideoPanel = lazyComponent(() =>
  import('../videos/video-panel.js').then((module) => module.VideoPanel),
);

/** The fields of a post that is being written, new or edited. */
export interface PostForm {
  draft: PostDraft;
  /** What the input of a text needs: its value, its error, and what a change does. */
  input: (field: PostText) => Pick<TextareaProps, 'value' | 'error' | 'onChange'>;
  /** Absent in an edit of a post with a video (POST-2). */
  photos?: Pick<Photos, 'isOpen' | 'list' | 'Panel' | 'toggle' | 'preload'> & { isOff?: boolean };
  /** Absent in an edit, which adds no video (POST-5). */
  video?: PanelOfVideo & { isOff?: boolean };
  /** What is wrong with the photos as a whole. */
  photosError?: ReactNode;
  /** Coaches alone choose who may read. */
  isCoach: boolean;
  onVisibility: (visibility: Visibility) => void;
  /** Why it could not be sent, where that is told in the form. */
  failure?: string;
}

interface PostFieldsProps {
  form: PostForm;
  /** The look of the field of the content. */
  content: TextareaProps & Readonly<Record<`data-${string}`, unknown>>;
  /** Beside the content: the author's picture. */
  face?: ReactNode;
  inEdit?: boolean;
}

/** What is written and added; below it, or elsewhere, stands `PostFoot`. */
export function PostFields({ form, content, face, inEdit = false }: PostFieldsProps) {
  const { photos: { list, Panel, isOpen } = {}, video } = form;
  const field = <Textarea autosize {...form.input('content')} {...content} />;
  return (
    <>
      {form.failure && (
        <div className={classes.note}>
          <FormAlert>{form.failure}</FormAlert>
        </div>
      )}
      {face ? (
        <div className={classes.writing}>
          {face}
          <div className={classes.grow}>{field}</div>
        </div>
      ) : (
        field
      )}
      {inEdit && <ContentLeft form={form} />}
      {isOpen && list && Panel && <Panel list={list} inEdit={inEdit} />}
      {video?.isOpen && (
        <LazyDialog onClose={video.close}>
          <VideoPanel userId={video.userId} />
        </LazyDialog>
      )}
      {form.photosError && <FormAlert>{form.photosError}</FormAlert>}
    </>
  );
}

/** Photo and Video, and who may read. */
export function PostFoot({ form }: { form: PostForm }) {
  const { publisher } = usePostTexts();
  const { photos, video } = form;
  return (
    <>
      {photos && <MediaButton label={publisher.photo} Icon={IconPhoto} {...photos} />}
      {video && <MediaButton label={publisher.video} Icon={IconVideo} {...video} />}
      {form.isCoach && <VisibilityControl value={form.draft.visibility} onChange={form.onVisibility} />}
    </>
  );
}

export const ContentLeft = ({ form }: { form: PostForm }) => (
  <CharactersLeft text={form.draft.content} limit={LIMITS.postLength} />
);
