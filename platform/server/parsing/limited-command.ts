import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Limits that the operating system enforces on a process that reads untrusted input. */
export interface ProcessLimits {
  /** Writable memory in bytes: heap, buffers, WebAssembly and native code together. */
  readonly dataBytes: number
  /** Processor time over the life of the process. */
  readonly cpuSeconds: number
  /** Heap of JavaScript in megabytes. */
  readonly heapMb: number
}

export interface LimitedProgram {
  /** Absolute path of the program's entry. */
  readonly entry: string
  readonly limits: ProcessLimits
  /** Native packages escape Node's permission model, not the limits of the operating system. */
  readonly usesAddons?: boolean
  /** Node's permission model: no network, no child processes, and files limited to code. Off for packages that need `process.binding`. */
  readonly isConfined?: boolean
}

let cachedPath: string | undefined

/** Path of prlimit (util-linux, part of every Debian); empty elsewhere. */
export function findPrlimit(): string {
  cachedPath ??= process.platform === 'linux' ? (listPrlimitPaths().find((path) => existsSync(path)) ?? '') : ''
  return cachedPath
}

const listPrlimitPaths = (): string[] => ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, 'prlimit'))

/**
 * Command and arguments of a Node process under limits. Without prlimit (macOS, minimal images) the heap limit, the permission model and
 * the caller's time limit remain; buffers and WebAssembly are then unbounded.
 */
export function limitedCommand({ entry, limits, usesAddons = false, isConfined = true }: LimitedProgram): { command: string; args: string[] } {
  const node = [
    `--max-old-space-size=${limits.heapMb}`,
    '--disable-warning=ExperimentalWarning',
    ...(isConfined
      ? ['--permission', ...listReadableFolders(entry).map((folder) => `--allow-fs-read=${folder}`), ...(usesAddons ? ['--allow-addons'] : [])]
      : []),
    entry,
  ]
  const prlimit = findPrlimit()
  if (!prlimit) return { command: process.execPath, args: node }
  const { dataBytes, cpuSeconds } = limits
  return {
    command: prlimit,
    args: [`--data=${dataBytes}`, `--cpu=${cpuSeconds}:${cpuSeconds + 2}`, '--core=0', '--nofile=64', process.execPath, ...node],
  }
}

/**
 * Folders that the parser may read: code and packages only, from the source tree or, in a release, the folder of the entry. Never the data
 * folder or the secrets.
 */
function listReadableFolders(entry: string): string[] {
  const root = findPackageRoot(entry)
  const places = entry.endsWith('.ts')
    ? ['package.json', 'features', 'platform', 'node_modules'].map((name) => join(root, name))
    : [dirname(entry), join(root, 'node_modules')]
  return [...new Set(places.filter((place) => existsSync(place)).flatMap((place) => [place, realpathSync(place)]))]
}

/** Nearest ancestor folder with packages. */
function findPackageRoot(entry: string): string {
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules')) || folder === dirname(folder)) return folder
  }
}
