import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BuiltPages } from '#apps/server/pages/pages.ts'
import { bundleServer } from './bundle.ts'
import { listDependencyClosure, copyPackages, copyReleaseTree, listUnbundledPackages } from './packages.ts'
import type { PutFile } from './packages.ts'
import { DATA_FOLDERS, REPOSITORY_ROOT } from './programs.ts'

/** `0.1.0-6c376cc12345`: the package's version and the commit. `-changed`: built from files that no commit holds. */
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

/** Files that a person installs with, and reads: as they stand in the repository. */
const RELEASE_DOCUMENTS = ['deploy', 'docs/runbooks', 'docs/settings.md', 'CHANGELOG.md', 'CHANGELOG.zh.md', 'LICENSE'] as const

/** The program `bin/mingxi`: every server of a release runs with what it is measured with. */
export function buildLauncher(): string {
  const tuning = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'scripts/tuning.json'), 'utf8')) as Record<string, string>
  const lines = Object.entries(tuning).map(([name, value]) => `export ${name}="\${${name}:-${value}}"`)
  return readFileSync(join(REPOSITORY_ROOT, 'scripts/release/mingxi.sh'), 'utf8').replace('# @tuning', () => lines.join('\n'))
}

/** Puts a release together in an empty folder: nothing is in it but what is named here. Returns the folders of packages in the server's bundle. */
export async function assembleRelease(
  folder: string,
  { pages, version, put = copyFileSync }: { pages: BuiltPages; version: string; put?: PutFile },
): Promise<ReadonlySet<string>> {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const bundled = await bundleServer(join(folder, 'server'))
  copyPackages(listDependencyClosure(listUnbundledPackages()), folder, put)
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
