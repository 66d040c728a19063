import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the bench page into .cache/bench/palette: `vite build --config tests/bench/palette/vite.config.ts`. */
export default defineConfig({
  root: at('.'),
  plugins: [react(), tailwindcss()],
  build: { target: 'es2024', outDir: at('../../../.cache/bench/palette'), emptyOutDir: true, modulePreload: { polyfill: false } },
  preview: { host: '127.0.0.1' },
})
