import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { className } from './vite/class-names.js';
import { chunkGroups } from './vite/chunk-groups.js';
import { leanMantine } from './vite/lean-mantine.js';
import { pageLinks } from './vite/page-links.js';
import { pageTexts } from './vite/page-texts.js';
import { systemScheme } from './vite/system-scheme.js';
import { themeStyles } from './vite/theme-variables.js';
import { compressed, hashedColorScheme, leanRouter, preloadedApp } from './vite/plugins.js';

const gateway = process.env.PULSO_GATEWAY ?? 'http://localhost:8080';

// The gateway checks Origin on refresh and logout, so the proxy presents the one that the gateway expects.
const origin = process.env.PULSO_ORIGIN ?? gateway;
const toGateway = { target: gateway, changeOrigin: true, headers: { origin } };
const proxy = {
  '^/(api|media|dev)/': toGateway,
  // Read, it is a page.
  '^/unsubscribe([?]|$)': {
    ...toGateway,
    bypass: ({ method, url }: { method?: string; url?: string }) => (method === 'POST' ? undefined : url),
  },
};

export default defineConfig(({ command }) => {
  // A build is for users, whoever starts it: vite would obey the NODE_ENV of a test run.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    plugins: [
      react(),
      leanRouter(),
      leanMantine(),
      compressed(),
      preloadedApp(),
      hashedColorScheme(),
      pageLinks(),
      pageTexts(),
      themeStyles(),
      systemScheme(),
    ],
    css: { modules: { generateScopedName: className } },
    server: { port: 5173, proxy },
    preview: { port: 4173, proxy },
    build: {
      outDir: 'dist',
      target: 'es2022',
      // Data URLs in scripts and styles would need a laxer Content-Security-Policy.
      assetsInlineLimit: 0,
      // Some 15 KB in one file: Vite never asks again for a chunk's style that did not load once, and pages do try again.
      cssCodeSplit: false,
      rolldownOptions: {
        output: { codeSplitting: { groups: chunkGroups } },
      },
      modulePreload: { polyfill: false },
    },
  };
});
