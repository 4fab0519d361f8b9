// `npm ci` refuses a lock file that lacks an optional package, even one for another system, but `npm install` leaves out those that a
// registry does not serve. This check finds them; `--write` adds their entries, so that both commands work everywhere.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type Packages = Readonly<Record<string, Locked>>

const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'windows']
const CPU = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** Finds optional packages missing from the lock file: path, and the entry to add. */
export function findMissingOptional(packages: Packages): Map<string, object> {
  const missing = new Map<string, object>()
  for (const { optionalDependencies = {}, dev } of Object.values(packages))
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const path = `node_modules/${name}`
      if (!(path in packages) && !Object.keys(packages).some((known) => known.endsWith(`/${path}`))) missing.set(path, buildEntry(name, version, dev))
    }
  return missing
}

/** A platform's package contains the platform in its name: `@oxlint/binding-linux-x64-musl`. */
function buildEntry(name: string, version: string, dev: boolean | undefined): object {
  const words = name.split('/').at(-1)!.split(/[-.]/)
  const os = OS.find((one) => words.includes(one))
  const cpu = CPU.find((one) => words.includes(one)) ?? (words.includes('armv7') || words.some((word) => word.startsWith('armeabi')) ? 'arm' : undefined)
  const libc = words.includes('musl') ? 'musl' : words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined
  return {
    version,
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(dev ? { dev } : {}),
    ...(os === 'linux' && libc ? { libc: [libc] } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  }
}

if (import.meta.main) {
  const file = join(process.cwd(), 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Packages }
  const missing = findMissingOptional(lock.packages)
  if (process.argv.includes('--write')) {
    const packages = Object.fromEntries(Object.entries({ ...lock.packages, ...Object.fromEntries(missing) }).toSorted(([a], [b]) => a.localeCompare(b, 'en')))
    writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
  } else if (missing.size > 0) {
    console.error(`package-lock.json lacks ${[...missing.keys()].join(', ')}: run node scripts/check/lock.ts --write`)
    process.exitCode = 1
  }
}
