import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { helpArticles } from './features/site/help/vite.ts'
import { createIconsPlugin } from './scripts/vite/icons.ts'
import { createLanguagesPlugin } from './scripts/vite/languages.ts'

/** The oldest browsers with @layer; Huawei and other web views of that age are in use. */
const BROWSERS = ['chrome99', 'safari15.4', 'firefox97']
const CORE =
  /\/node_modules\/(react|react-dom|scheduler|@tanstack\/(?:react-router|router-core|history|store|react-store)|zustand|use-sync-external-store)\/|\/platform\/web\/(?!use-fields\b|calls\/use-submit\b|calls\/query\b|state\/load-flags\b|state\/read-flags\b|state\/paid\b|passkey\b|pseudo\b)|\/apps\/web\/keys\/mod-key\.ts$|\/ui\/(?:layers\/|fields\/)?(button|texts|confirm|toast|segmented|use-copy|copy-button|receipt)\.tsx?$|\/features\/gateway\/(web\/vendors|server\/vendors\/\w+)\/shown\.ts$|\/lucide-react\/dist\/esm\/icons\/rotate-cw\.mjs$/
/** Base of all dialogs, in one chunk: every console page opens one. */
const LAYERS = /\/node_modules\/@base-ui\/react\/(dialog\/|utils\/FloatingPortalLite\.)/
/** The console's frame and the code of its calls, in one chunk: on a slow connection another request costs more than it saves. */
const CONSOLE =
  /\/apps\/web\/layout\/(console-layout|side-nav|top-bar|balance-pill)\.tsx$|\/node_modules\/@tanstack\/(query-core|react-query)\/|\/platform\/web\/calls\/query\.tsx$|\/node_modules\/@base-ui\/react\/csp-provider\//
/** Components used by both the landing page's second half and the console's pages; an icon left out here would tie one to all of the other. */
const PARTS =
  /\/ui\/(skeleton|error-state|empty-state|dot|code-block|badge|stamp)\.tsx$|\/lucide-react\/dist\/esm\/icons\/(plus|refresh-cw|external-link)\.mjs$/
/** Icons used by both public pages and the console: one request, and neither loads the other's code for a magnifying glass. */
const ICONS =
  /\/lucide-react\/dist\/esm\/icons\/(search|layout-grid|rows-3|x|printer|info|link|lock|message-circle|arrow-right|arrow-down|hourglass|message-square-text|megaphone|circle-check)\.mjs$/
const root = fileURLToPath(new URL('./apps/web', import.meta.url))
const version = process.env['BUILD_VERSION'] ?? Date.now().toString(36)

/** Lets open pages compare their version with /version.json and reload after a deployment. */
const versionFile: Plugin = {
  name: 'version-file',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'version.json', source: JSON.stringify({ version }) })
  },
}

/** In development Vite serves the pages and the server takes the calls; a path can be both, decided by the Accept header. */
const server = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000'
const call = {
  target: server,
  bypass: (request: { headers: { accept?: string }; url?: string }) => (request.headers.accept?.includes('text/html') ? request.url : undefined),
}

export default defineConfig(({ command }) => ({
  root,
  plugins: [react(), tailwind(), helpArticles(), createLanguagesPlugin(), createIconsPlugin(fileURLToPath(new URL('.', import.meta.url))), versionFile],
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(command === 'build' ? version : 'dev') },
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    target: BROWSERS,
    cssTarget: BROWSERS,
    manifest: true,
    assetsInlineLimit: 0,
    // Groups code shared by all pages into few files: fewer requests, and they stay cached when pages change.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'core', test: CORE, priority: 6 },
            { name: 'layers', test: LAYERS, priority: 5 },
            {
              name: 'contract',
              test: /\/node_modules\/zod\/|\/platform\/shared\/(?!identity-number)[\w-]+\.ts$|\/features\/(?!cards\/|identity\/|services\/|flex\/|upgrade\/|numbers\/|mailbox\/|registration\/|proxy\/|browser\/|remote\/)\w+\/errors\.ts$/,
              priority: 4,
            },
            { name: 'parts', test: PARTS, priority: 4 },
            { name: 'icons', test: ICONS, priority: 4 },
            // A group includes its imports: dozens of icons and small parts would otherwise be a request each.
            { name: 'start', test: /\/apps\/web\/main\.tsx$/, priority: 4 },
            { name: 'site', test: /\/apps\/web\/layout\/site-layout\.tsx$/, priority: 3 },
            { name: 'console', test: CONSOLE, priority: 2.5 },
            { name: 'landing', test: /\/features\/site\/web\/landing\.tsx$/, priority: 2 },
            { name: 'below', test: /\/features\/site\/web\/landing\/below\.tsx$/, priority: 1 },
            { name: 'support', test: /\/features\/support\/web\/index\.tsx$/, priority: 1 },
            { name: 'extras', test: /\/apps\/web\/(layout\/extras|overlays\/(maintenance|announcement)-strip)\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5200,
    proxy: {
      '^/(user|v1|v1beta|common|api/go|pay|notify|order|transaction|invitation|reward|account|card|sandbox|features\\.yaml|version\\.json)(/|$|\\?)': call,
    },
  },
}))
