import '@fontsource-variable/figtree';
import './app/mantine-styles.js';
import './app/global.css';
import './app/print.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { followSession } from './app/follow-session.js';

followSession();

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
