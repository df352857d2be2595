import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { type Plugin, defineConfig } from 'vite';

const gateway = process.env.PULSO_GATEWAY ?? 'http://localhost:8080';

// The gateway checks Origin on refresh and logout, so the proxy presents the one that the gateway expects.
const origin = process.env.PULSO_ORIGIN ?? gateway;
const proxy = { '^/(api|media|dev)/': { target: gateway, changeOrigin: true, headers: { origin } } };

/** Writes .br and .gz beside each text file; the gateway sends those rather than compress for every visitor. */
function compressed(): Plugin {
  return {
    name: 'pulso:compressed',
    apply: 'build',
    writeBundle({ dir }) {
      if (!dir) return;
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const content = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(content));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig(({ command }) => {
  // A build is for users, whoever starts it: vite would obey the NODE_ENV of a test run.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    plugins: [react(), compressed()],
    server: { port: 5173, proxy },
    preview: { port: 4173, proxy },
    build: {
      outDir: 'dist',
      target: 'es2022',
      // Data URLs in scripts and styles would need a laxer Content-Security-Policy.
      assetsInlineLimit: 0,
      // Some 15 KB in one file: Vite never asks again for a chunk's style that did not load once, and pages do try again.
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
    },
  };
});
