import { judgeVideoLink } from './video-link.js';

const youtube = (rest = '') => ({
  url: `https://www.youtube-nocookie.com/embed/M7lc1UVf-VE${rest}`,
  platform: 'youtube',
  direct: false,
});
const vimeo = (rest = '?dnt=1') => ({
  url: `https://player.vimeo.com/video/76979871${rest}`,
  platform: 'vimeo',
  direct: false,
});
const external = (url: string) => ({ url, platform: 'external', direct: false });
const direct = (url: string) => ({ url, platform: 'external', direct: true });
const judged = (original: string) => {
  const { originalUrl, ...rest } = judgeVideoLink(original);
  expect(originalUrl).toBe(original);
  return rest;
};

// Rule: POST-17
describe('a video link', () => {
  it.each([
    ['https://www.youtube.com/watch?v=M7lc1UVf-VE', youtube()],
    ['http://youtube.com/watch/?list=PL1&v=M7lc1UVf-VE&feature=share', youtube()],
    ['https://youtu.be/M7lc1UVf-VE?si=abc', youtube()],
    ['https://m.youtube.com/watch?v=M7lc1UVf-VE', youtube()],
    ['https://music.youtube.com/watch?v=M7lc1UVf-VE', youtube()],
    ['https://www.youtube.com/embed/M7lc1UVf-VE', youtube()],
    ['https://www.youtube-nocookie.com/embed/M7lc1UVf-VE?autoplay=1', youtube()],
    ['https://youtube.com/shorts/M7lc1UVf-VE/', youtube()],
    ['https://www.youtube.com/live/M7lc1UVf-VE?feature=share', youtube()],
    ['https://www.youtube.com:443/v/M7lc1UVf-VE', youtube()],
    ['HTTPS://WWW.YouTube.COM/watch?v=M7lc1UVf-VE', youtube()],
    // A browser reads these letters as the usual ones.
    ['https://ｗｗｗ.ｙｏｕｔｕｂｅ.com/watch?v=M7lc1UVf-VE', youtube()],
    ['https://youtu.be/M7lc1UVf-VE?t=90', youtube('?start=90')],
    ['https://www.youtube.com/watch?v=M7lc1UVf-VE&t=1h2m3s', youtube('?start=3723')],
    ['https://www.youtube.com/watch?v=M7lc1UVf-VE#t=2m', youtube('?start=120')],
    ['https://www.youtube.com/embed/M7lc1UVf-VE?start=7', youtube('?start=7')],
    ['https://youtu.be/M7lc1UVf-VE?t=0', youtube()],
    ['https://youtu.be/M7lc1UVf-VE?t=', youtube()],
    ['https://youtu.be/M7lc1UVf-VE?t=soon', youtube()],
    ['https://youtu.be/M7lc1UVf-VE?t=-5', youtube()],
    ['https://youtu.be/M7lc1UVf-VE?t=99999999999999999999', youtube()],
    ['https://youtu.be/M7lc1UVf-VE?t=1%26autoplay=1', youtube()],
    ['https://vimeo.com/76979871', vimeo()],
    ['http://www.vimeo.com/76979871/', vimeo()],
    ['https://m.vimeo.com/76979871', vimeo()],
    ['https://vimeo.com/m/76979871', vimeo()],
    ['https://vimeo.com/channels/staffpicks/76979871', vimeo()],
    ['https://vimeo.com/groups/shortfilms/videos/76979871', vimeo()],
    ['https://vimeo.com/showcase/1234/video/76979871', vimeo()],
    ['https://vimeo.com/76979871/8272103f6e', vimeo('?h=8272103f6e&dnt=1')],
    ['https://player.vimeo.com/video/76979871?h=8272103f6e&autoplay=1', vimeo('?h=8272103f6e&dnt=1')],
    ['https://player.vimeo.com/video/76979871?h="><script>', vimeo()],
    ['https://vimeo.com/76979871#t=1m30s', vimeo('?dnt=1#t=90s')],
  ])('to be put into a frame: %s', (original, expected) => {
    expect(judged(original)).toEqual(expected);
  });

  it.each([
    ['https://example.com/a.mp4', 'https://example.com/a.mp4'],
    ['http://example.com:8080/A.WebM?token=1#t=3', 'http://example.com:8080/A.WebM?token=1#t=3'],
    ['https://example.com/a b.ogg', 'https://example.com/a%20b.ogg'],
    ['https://пример.example/ñ.mp4', 'https://xn--e1afmkfd.example/%C3%B1.mp4'],
    ['https://www.youtube.com/a.mp4', 'https://www.youtube.com/a.mp4'],
  ])('to a file: %s', (original, url) => {
    expect(judged(original)).toEqual(direct(url));
  });

  it.each([
    'https://example.com/',
    'https://example.com/watch?v=M7lc1UVf-VE',
    'https://example.com/?file=a.mp4',
    'https://example.com/#a.mp4',
    'https://example.com/a.mp4/',
    'https://example.com/amp4',
    'https://user:pass@example.com/a.mp4',
    // Hosts that only contain, begin or end with those of the platforms.
    'https://youtube.com.evil.example/watch?v=M7lc1UVf-VE',
    'https://evil-youtube.com/watch?v=M7lc1UVf-VE',
    'https://notyoutu.be/M7lc1UVf-VE',
    'https://evil.www.youtube.com/watch?v=M7lc1UVf-VE',
    'https://www.youtube.com.:443/watch?v=M7lc1UVf-VE',
    'https://youtube.com./watch?v=M7lc1UVf-VE',
    'https://www.youtube.com:8443/watch?v=M7lc1UVf-VE',
    'https://www.youtube.com@evil.example/watch?v=M7lc1UVf-VE',
    'https://user:pass@www.youtube.com/watch?v=M7lc1UVf-VE',
    'https://user@vimeo.com/76979871',
    'https://xn--yutube-jye.com/watch?v=M7lc1UVf-VE',
    'https://evil.example/https://www.youtube.com/watch?v=M7lc1UVf-VE',
    'https://evil.example\\@www.youtube.com/watch?v=M7lc1UVf-VE',
    'https://vimeo.com.evil.example/76979871',
    'https://evilvimeo.com/76979871',
    'https://player.vimeo.com:81/video/76979871',
    'https://player.vimeo.com./video/76979871',
    // The platforms' own hosts, but no video that has an id.
    'https://www.youtube.com/',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/watch?v=short',
    'https://www.youtube.com/watch?v=M7lc1UVf-VE%2F..',
    'https://www.youtube.com/embed/M7lc1UVf-VE/../../redirect',
    'https://www.youtube.com/embed/videoseries?list=PL1',
    'https://www.youtube.com/embed/live_stream?channel=UC1',
    'https://www.youtube.com/redirect?q=https://evil.example&v=M7lc1UVf-VE',
    'https://www.youtube.com/playlist?list=PL1',
    'https://youtu.be/',
    'https://youtu.be/watch/M7lc1UVf-VE',
    'https://vimeo.com/about',
    'https://vimeo.com/0',
    'https://vimeo.com/1234567890123',
    'https://vimeo.com/76979871/settings',
    'https://player.vimeo.com/76979871',
    'https://player.vimeo.com/video/76979871/embed',
  ])('to be opened elsewhere: %s', (original) => {
    expect(judged(original)).toEqual(external(new URL(original).href));
  });

  it('is judged at any length that is accepted', () => {
    const rest = '/'.repeat(2_000);
    expect(judged(`https://vimeo.com/channels/${rest}`)).toMatchObject({ platform: 'external' });
    expect(judged(`https://youtu.be/M7lc1UVf-VE?t=${'1'.repeat(2_000)}`)).toEqual(youtube());
    expect(judged(`https://www.youtube.com/watch?v=${'M'.repeat(2_000)}`)).toMatchObject({
      platform: 'external',
    });
  });
});
