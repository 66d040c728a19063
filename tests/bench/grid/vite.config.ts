import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the bench page into .cache/bench/grid: `vite build --config tests/bench/grid/vite.config.ts`. */
export default defineConfig({
  root: at('.'),
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2024',
    rolldownOptions: { input: at('page.html') },
    outDir: at('../../../.cache/bench/grid'),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
  },
  preview: { host: '127.0.0.1' },
})
