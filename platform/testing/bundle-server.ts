// node platform/testing/bundle-server.ts <folder>: bundles the server that a run's tests start into about a hundred files. Locating and
// loading its two thousand sources took half of each start.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { toTestBundleName, PROGRAMS } from './programs.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Packages of many small files that every start loads: bundled, they are located and read once. */
const BUNDLED = [
  /^fastify$/,
  /^@fastify\//,
  /^ajv/,
  /^fast-/,
  /^find-my-way$/,
  /^avvio$/,
  /^zod$/,
  /^prom-client$/,
  /^@opentelemetry\/api$/,
  /^pg-boss$/,
  /^cron-parser$/,
  /^luxon$/,
]

const isStarted = (file: string): boolean => (PROGRAMS as readonly string[]).includes(file)
const toSourceBundleName = (file: string): string => toTestBundleName(relative(ROOT, file))

/** Keeps `import.meta` paths pointing at the sources; `import.meta.main` is true for entry programs only. */
const places: Plugin = {
  name: 'places-of-sources',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(ROOT) || id.includes('/node_modules/') || !code.includes('import.meta.')) return undefined
    const folder = dirname(id)
    const started = code.replaceAll(/join\(import\.meta\.dirname, '([^']+\.ts)'\)/g, (whole, path: string) =>
      isStarted(relative(ROOT, join(folder, path)))
        ? `join(import.meta.dirname_of_bundle, ${JSON.stringify(`${toSourceBundleName(join(folder, path))}.mjs`)})`
        : whole,
    )
    return started
      .replaceAll(/import\.meta\.dirname(?!_)/g, JSON.stringify(folder))
      .replaceAll('import.meta.filename', JSON.stringify(id))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.main', String(isStarted(relative(ROOT, id))))
      .replaceAll('import.meta.dirname_of_bundle', 'import.meta.dirname')
  },
}

async function bundle(folder: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [places],
    ssr: { noExternal: BUNDLED },
    build: {
      ssr: true,
      outDir: folder,
      target: 'esnext',
      minify: false,
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(PROGRAMS.map((file) => [toSourceBundleName(file), join(ROOT, file)])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })
  // Packages resolve from the repository.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

if (import.meta.main) {
  const place = process.argv[2]!
  mkdirSync(dirname(place), { recursive: true })
  const building = mkdtempSync(`${place}-`)
  await bundle(building)
  // Another process was faster: discard this bundle.
  if (existsSync(place)) rmSync(building, { recursive: true })
  else renameSync(building, place)
}
