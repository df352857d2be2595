import { useEffect, useState } from 'react';

/** Whether the window has loaded: what is large and can wait begins then. */
export function usePageLoaded(): boolean {
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const onLoad = () => setLoaded(true);
    if (document.readyState === 'complete') {
      // After the first paint of what is shown now.
      const timer = setTimeout(onLoad);
      return () => clearTimeout(timer);
    }
    window.addEventListener('load', onLoad, { once: true });
    return () => window.removeEventListener('load', onLoad);
  }, []);
  return loaded;
}
