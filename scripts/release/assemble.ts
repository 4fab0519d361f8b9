import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { BuiltPages } from '#apps/server/pages/pages.ts'
import { listDependencyClosure, copyPackages, copyReleaseTree, listUnbundledPackages } from './packages.ts'
import type { PutFile } from './packages.ts'
import { DATA_FOLDERS, REPOSITORY_ROOT, toReleaseBundleName, listChildPrograms } from './programs.ts'
import { build } from 'vite'
import type { Plugin } from 'vite'

/** The one program that users and services start. */
const LAUNCHED_PROGRAM = 'scripts/release/mingxi.ts'

/** Entry points of the bundle, by their source: the program, and its workers and child processes. */
function listBundleEntries(): ReadonlyMap<string, string> {
  return new Map([[LAUNCHED_PROGRAM, 'mingxi'], ...[...listChildPrograms().keys()].map((source): [string, string] => [source, toReleaseBundleName(source)])])
}

/**
 * Rewrites each `import.meta` of the sources to its target's place in a release: programs next to the bundle, data at their place in the
 * tree. Refuses unknown forms, so that no path of the build machine remains.
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

/** Folders of the packages whose code a chunk contains, relative to the repository. */
const listPackageFolders = (modules: readonly string[]): string[] =>
  modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace(/^\0/, ''))?.[0].slice(REPOSITORY_ROOT.length + 1) ?? [])

/** Bundles the server, its commands, workers and children into one folder of `.mjs` files. Returns the folders of the packages in it. */
async function bundleServer(folder: string): Promise<ReadonlySet<string>> {
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

/** `0.2.0-6c376cc12345`: the package's version and the commit. `-changed`: built with uncommitted changes. */
export function readReleaseVersion(root = REPOSITORY_ROOT): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const git = (...words: string[]): string | undefined => {
    try {
      return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      return undefined
    }
  }
  const commit = git('rev-parse', '--short=12', 'HEAD')
  if (commit === undefined) return version
  return `${version}-${commit}${git('status', '--porcelain', '--untracked-files=no') ? '-changed' : ''}`
}

/** Files for installation and reading, copied unchanged from the repository. */
const RELEASE_DOCUMENTS = ['deploy', 'docs/runbooks', 'docs/settings.md', 'CHANGELOG.md', 'CHANGELOG.zh.md', 'LICENSE'] as const

/** The program `bin/mingxi`: every server of a release runs with the options of the benchmarks. */
export function buildLauncher(): string {
  const tuning = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'scripts/tuning.json'), 'utf8')) as Record<string, string>
  const lines = Object.entries(tuning).map(([name, value]) => `export ${name}="\${${name}:-${value}}"`)
  return readFileSync(join(REPOSITORY_ROOT, 'scripts/release/mingxi.sh'), 'utf8').replace('# @tuning', () => lines.join('\n'))
}

/** Assembles a release in an empty folder: it contains only files named here. Returns the folders of packages in the server's bundle. */
export async function assembleRelease(
  folder: string,
  { pages, version, put = copyFileSync }: { pages: BuiltPages; version: string; put?: PutFile },
): Promise<ReadonlySet<string>> {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const bundled = await bundleServer(join(folder, 'server'))
  copyPackages(listDependencyClosure(listUnbundledPackages()), folder, { put })
  for (const name of [...DATA_FOLDERS, ...RELEASE_DOCUMENTS]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    copyReleaseTree(join(REPOSITORY_ROOT, name), join(folder, name), { put })
  }
  for (const name of ['web', 'prerender', 'console'] as const)
    copyReleaseTree(pages[name], join(folder, 'pages', name), { put, takes: (path) => path !== '.fingerprint' })
  put(process.execPath, join(folder, 'bin/node'))
  writeFileSync(join(folder, 'bin/mingxi'), buildLauncher(), { mode: 0o755 })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name: 'mingxi', version, type: 'module', private: true })}\n`)
  writeFileSync(join(folder, 'VERSION'), `${version}\n`)
  return bundled
}
