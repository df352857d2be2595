import { useEffect } from 'react';
import type { RefObject } from 'react';

/**
 * Keeps `--visible-height` and `--visible-top` of the element at the part of the window that an on-screen keyboard leaves
 * free. Safari lays the keyboard over the page, and tells its size by the visual viewport alone.
 */
export function useVisibleHeight(element: RefObject<HTMLElement | null>, enabled: boolean): void {
  useEffect(() => {
    const { visualViewport } = window;
    if (!enabled || !visualViewport) return;
    const follow = () => {
      // Zoomed in, the visual viewport is a part of the page and says nothing about a keyboard.
      const zoomed = visualViewport.scale > 1.01;
      element.current?.style.setProperty(
        '--visible-height',
        zoomed ? '100dvh' : `${visualViewport.height}px`,
      );
      element.current?.style.setProperty('--visible-top', zoomed ? '0' : `${visualViewport.offsetTop}px`);
    };
    follow();
    visualViewport.addEventListener('resize', follow);
    visualViewport.addEventListener('scroll', follow);
    return () => {
      visualViewport.removeEventListener('resize', follow);
      visualViewport.removeEventListener('scroll', follow);
    };
  }, [element, enabled]);
}
