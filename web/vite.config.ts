import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// `cargo build` names the folder that the server embeds; by hand the pages go to dist/.
const out = process.env.KEN_WEB_OUT ?? 'dist';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    // Small pictures would otherwise become data: addresses, which the server's content policy refuses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // The editor is big and only the workbench needs it.
        codeSplitting: { groups: [{ name: 'editor', test: /node_modules[\\/](@codemirror|@lezer|codemirror)/ }] },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:7171', '/health': 'http://127.0.0.1:7171' } },
  test: { include: ['src/**/*.test.ts'] },
});
