import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { ModeratedContent } from './moderated-content.js';
import type { ModeratedPicture, ModeratedPost, ModeratedText, ModeratedVideo } from './moderated-text.js';

/** The commands by which moderators read what was reported; the decisions are commands of social. */
export const moderationCommands: Readonly<Record<string, ServiceCommand>> = {
  'show-post': {
    operands: ['<post>'],
    options: { json: { type: 'boolean' } },
    summary:
      'shows a post to a moderator, also a hidden or subscribers-only one, with addresses of its pictures and video that expire',
    prepare({ operands: [id = ''], options: { json } }) {
      return async (service) => {
        const post = await service.get(ModeratedContent).post(id);
        return json ? [JSON.stringify(post)] : linesOfPost(post);
      };
    },
  },
  'show-comment': {
    operands: ['<comment>'],
    options: { json: { type: 'boolean' } },
    summary: 'shows a comment to a moderator, with its post and its neighbours',
    prepare({ operands: [id = ''], options: { json } }) {
      return async (service) => {
        const seen = await service.get(ModeratedContent).comment(id);
        if (json) return [JSON.stringify(seen)];
        const { comment, post, before, after } = seen;
        return [
          ...(post ? linesOfPost(post) : ['the post no longer exists']),
          ...before.flatMap((neighbour) => linesOf('comment', neighbour)),
          ...linesOf('> comment', comment),
          ...after.flatMap((neighbour) => linesOf('comment', neighbour)),
        ];
      };
    },
  },
};

function linesOfPost(post: ModeratedPost): string[] {
  const { visibility, pictures, video, ...rest }: Omit<ModeratedPost, keyof ModeratedText> = post;
  const seen = [...pictures.map(lineOf), ...(video ? [lineOfVideo(video)] : [])];
  return [...linesOf(`post (${visibility})`, post), ...seen, ...linesOfTexts(rest)];
}

function lineOf({ address, alt, caption, ...rest }: ModeratedPicture): string {
  const texts = [alt, caption, ...noFurther(rest)].filter((text) => text !== '');
  return [`  picture ${address}`, ...texts.map((text) => JSON.stringify(text))].join('  ');
}

/** A link is untrusted: quoted, as texts are. */
function lineOfVideo({ state, address, ...rest }: ModeratedVideo): string {
  const shown = state === 'link' ? JSON.stringify(address) : address;
  return ['  video', state, shown, ...noFurther(rest)].filter((part) => part !== '').join(' ');
}

/** The text is untrusted: quoted, so that it stays on its line. */
function linesOf(title: string, text: ModeratedText): string[] {
  const { id, author, authorId, authorStatus, createdAt, importedAt, content, state, reason, ...rest } = text;
  const status = authorStatus === 'active' ? '' : `, ${authorStatus}`;
  return [
    `${title} ${id}  ${createdAt}${importedAt === null ? '' : ` (imported ${importedAt})`}  ${reason === null ? state : `${state}: ${reason}`}`,
    `  by ${author} (${authorId}${status})`,
    `  ${JSON.stringify(content)}`,
    ...noFurther(rest),
  ];
}

/** A line for each text that only posts have. */
function linesOfTexts(texts: Readonly<Record<string, string>>): string[] {
  const written = Object.entries(texts).filter(([, text]) => text !== '');
  return written.map(([name, text]) => `  ${name}: ${JSON.stringify(text)}`);
}

/** No line, for the rest of a view whose fields are all named: a new field does not compile until a line shows it. */
const noFurther = (_rest: Readonly<Record<string, never>>): [] => [];
