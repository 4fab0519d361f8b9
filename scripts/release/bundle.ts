import { dirname, join, relative } from 'node:path'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { toReleaseBundleName, listChildPrograms, REPOSITORY_ROOT } from './programs.ts'
import { listUnbundledPackages } from './packages.ts'

/** The one program that people and services start. */
const LAUNCHED_PROGRAM = 'scripts/release/mingxi.ts'

/** Files of the bundle that are started, by their source: the program, and its workers and child processes. */
export function listBundleEntries(): ReadonlyMap<string, string> {
  return new Map([[LAUNCHED_PROGRAM, 'mingxi'], ...[...listChildPrograms().keys()].map((source): [string, string] => [source, toReleaseBundleName(source)])])
}

/**
 * Leads each `import.meta` of the sources to where its target lies in a release: programs next to the bundle, data at their place in the
 * tree. Refuses a form that it does not know, so that no path of the machine that built it is left behind.
 */
function createPlacesPlugin(programs: ReadonlySet<string>): Plugin {
  return {
    name: 'places-in-a-release',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(`${REPOSITORY_ROOT}/`) || id.includes('/node_modules/') || !code.includes('import.meta.')) return undefined
      const file = relative(REPOSITORY_ROOT, id)
      const folder = dirname(file)
      const program = (path: string): string => {
        const source = join(folder, path)
        if (!programs.has(source)) throw new Error(`${file} starts ${source}, which is no entry of the release`)
        return JSON.stringify(`./${toReleaseBundleName(source)}.mjs`)
      }
      const moved = code
        .replaceAll(/new URL\('(\.\/[^']+\.ts)', import\.meta\.url\)/g, (_, path: string) => `new URL(${program(path)}, import.meta.URL)`)
        .replaceAll(/join\(import\.meta\.dirname, '([^']+\.ts)'\)/g, (_, path: string) => `join(import.meta.DIRNAME, ${program(path)})`)
        .replaceAll('createRequire(import.meta.url)', 'createRequire(import.meta.URL)')
        .replaceAll('import.meta.dirname', `(import.meta.DIRNAME + ${JSON.stringify(`/../${folder}`)})`)
      const unknown = /import\.meta\.(?!URL|DIRNAME)\w+/.exec(moved)
      if (unknown) throw new Error(`${file} uses ${unknown[0]} in a form that scripts/release/bundle.ts does not know`)
      return moved.replaceAll('import.meta.URL', 'import.meta.url').replaceAll('import.meta.DIRNAME', 'import.meta.dirname')
    },
  }
}

/** Folders of the packages whose code is in a chunk, relative to the repository. */
const listPackageFolders = (modules: readonly string[]): string[] =>
  modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace(/^\0/, ''))?.[0].slice(REPOSITORY_ROOT.length + 1) ?? [])

/** Bundles the server, its commands, workers and children into one folder of `.mjs` files. Returns the folders of the packages in it. */
export async function bundleServer(folder: string): Promise<ReadonlySet<string>> {
  const bundled = new Set<string>()
  const collect: Plugin = {
    name: 'packages-in-a-release',
    generateBundle(_options, chunks) {
      for (const chunk of Object.values(chunks)) if (chunk.type === 'chunk') for (const one of listPackageFolders(Object.keys(chunk.modules))) bundled.add(one)
    },
  }
  const input = listBundleEntries()
  await build({
    root: REPOSITORY_ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [createPlacesPlugin(new Set(input.keys())), collect],
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { noExternal: true, external: listUnbundledPackages() },
    build: {
      ssr: true,
      outDir: folder,
      target: 'esnext',
      minify: false,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.fromEntries([...input].map(([source, name]) => [name, join(REPOSITORY_ROOT, source)])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })
  return bundled
}
