import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { className } from './vite/class-names.js';
import { leanMantine } from './vite/lean-mantine.js';
import { leanRouter } from './vite/plugins.js';
import { serverForm } from './vite/server-form.js';

// A build is for users, whoever starts it.
process.env.NODE_ENV = 'production';

/** Adds render.mjs to what vite.config.ts has built: the pages that the gateway renders for visitors, in one file for Node. */
export default defineConfig({
  plugins: [serverForm(), react(), leanRouter(), leanMantine()],
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  css: { modules: { generateScopedName: className } },
  build: {
    ssr: 'src/render.tsx',
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'node20',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      output: { entryFileNames: 'render.mjs', codeSplitting: false },
    },
  },
});
