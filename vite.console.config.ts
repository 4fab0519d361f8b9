import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { createLanguagesPlugin } from './scripts/vite/languages.ts'

/** Operators bring their own browsers up to date: two years old at most. */
const BROWSERS = ['chrome120', 'safari17.2', 'firefox121']
/** Libraries and platform code of every screen, in one file that stays cached when screens change. */
const CORE = /\/node_modules\/(react|react-dom|scheduler|@tanstack\/[\w-]+|zustand|zod|use-sync-external-store)\/|\/platform\/(web|shared)\//

const root = fileURLToPath(new URL('./apps/console', import.meta.url))
const server = process.env['CONSOLE_ORIGIN'] ?? 'http://localhost:4000'

/** The operators' pages: a bundle of its own on an origin of its own (apps/server/pages/serve-console.ts). */
export default defineConfig(({ command }) => ({
  root,
  plugins: [react(), tailwind(), createLanguagesPlugin()],
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(command === 'build' ? 'console' : 'dev') },
  build: {
    outDir: fileURLToPath(new URL('./dist/console', import.meta.url)),
    emptyOutDir: true,
    target: BROWSERS,
    cssTarget: BROWSERS,
    manifest: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'core', test: CORE, priority: 3 }],
        },
      },
    },
  },
  server: { port: 5300, proxy: { '^/operator(/|$|\\?)': server } },
}))
