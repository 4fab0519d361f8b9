import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { helpArticles } from './features/site/help/vite.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Features that no prerendered page shows; the shell imports their loaders directly, so only what those import stays out of the bundle. */
const LAZY = ['payments', 'cards', 'invitations', 'flex', 'upgrade', 'numbers', 'mailbox', 'registration', 'proxy', 'remote', 'browser'].join('|')
const LOADERS = new RegExp(`/features/(?:${LAZY})/web/index\\.tsx$`)
const ELSEWHERE = new RegExp(`^(?:virtual:|#features/(?!(?:site|${LAZY})/)[\\w-]+/web/index\\.tsx$)`)

/** The public pages for the server, self-contained: drawing them needs no package. */
export default defineConfig({
  root: path('./apps/web'),
  publicDir: false,
  plugins: [react(), helpArticles()],
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify('prerender'), 'process.env.NODE_ENV': JSON.stringify('production') },
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'prerender.tsx',
    outDir: path('./dist/prerender'),
    emptyOutDir: true,
    target: 'node22',
    minify: false,
    // pages behind the sign-in and our own boards are never drawn here: their loaders stay, their code does not
    rolldownOptions: {
      external: (id, importer) => ELSEWHERE.test(id) || (id.startsWith('./') && importer !== undefined && LOADERS.test(importer)),
      output: { entryFileNames: 'prerender.js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
