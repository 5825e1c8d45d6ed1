// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  build: {
    outDir: 'out',
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        entryFileNames: 'ui/app.js',
        assetFileNames: 'ui/app[extname]',
        inlineDynamicImports: true,
      },
    },
  },
  // `npm run dev` shows the page with changes at once; the data comes from a scheduler or a simulation here.
  server: { proxy: Object.fromEntries(['/ws', '/sim', '/ui/mode'].map((path) => [path, process.env.SCHEDULER ?? 'http://127.0.0.1:9889'])) },
  test: { include: ['test/**/*.test.ts'], environment: 'node' },
});
