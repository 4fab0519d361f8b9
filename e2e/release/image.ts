/**
 * `npm run release:image [-- FOLDER]`: builds the image of a release by `deploy/Containerfile`, on a Debian of debootstrap instead of the
 * one of a registry, and starts each production role from its files: read-only, as its user, with secrets in files. A release with a file
 * that does not belong to it must not become an image. Runs as root on Debian, with buildah and debootstrap; no container engine is needed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { PLACEHOLDER_SETTINGS, startRelease } from '../../scripts/release/start-release.ts'
import { findReleaseProblems } from '../../scripts/release/checksums.ts'
import { prepareDebian } from './machine.ts'
import { aPayingKey, startRehearsalVendor } from './rehearsal.ts'
import { tryEveryRole } from './roles.ts'

const root = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'mingxi-image-'))
chmodSync(scratch, 0o755)
const cache = process.env['WALK_CACHE'] ?? join(tmpdir(), 'mingxi-debian')
const release = resolve(process.argv[2] ?? join(scratch, 'release'))
if (!process.argv[2]) execFileSync(process.execPath, [join(root, 'scripts/release/build.ts'), '--to', release], { stdio: 'inherit' })

const storage = ['--storage-driver', 'vfs', '--root', join(scratch, 'containers'), '--runroot', join(scratch, 'run')]
const buildah = (...words: string[]): string =>
  execFileSync('buildah', [...storage, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 }).trim()
const BASE = 'docker.io/library/debian:trixie-slim'
const buildImage = (context: string, tag: string) =>
  spawnSync(
    'buildah',
    [...storage, 'bud', '--quiet', '--layers', '--isolation', 'chroot', '--pull-never', '-f', join(root, 'deploy/Containerfile'), '-t', tag, context],
    { encoding: 'utf8' },
  )

const problems: string[] = []
const postgres = await startPostgres(join(scratch, 'postgres'))
const vendor = await startRehearsalVendor()
try {
  const bare = buildah('from', 'scratch')
  buildah('copy', '--quiet', bare, prepareDebian(cache), '/')
  buildah('commit', '--quiet', bare, BASE)
  buildah('rm', bare)
  const built = buildImage(release, 'mingxi:new')
  if (built.status !== 0) throw new Error(built.stderr)
  const container = buildah('from', '--pull-never', 'mingxi:new')
  const files = buildah('mount', container)
  const { OCIv1: image } = JSON.parse(buildah('inspect', container)) as { OCIv1: { config?: { User?: string; Entrypoint?: string[] } } }
  problems.push(...findReleaseProblems(join(files, 'opt/mingxi')))
  for (const gone of ['data/secret.key', 'opt/mingxi/data', 'opt/mingxi/.git', 'opt/mingxi/package-lock.json'])
    if (existsSync(join(files, gone))) problems.push(`${gone} is in the image`)
  console.log(
    `image ${execFileSync('du', ['-sm', files], { encoding: 'utf8' }).split('\t')[0]} MB, user ${image.config?.User}, starts ${image.config?.Entrypoint?.join(' ')}`,
  )

  const secrets = join(scratch, 'secrets')
  mkdirSync(secrets)
  const { SECRET_KEY, OPENAI_API_KEY, ...rest } = PLACEHOLDER_SETTINGS
  for (const [name, value] of Object.entries({ SECRET_KEY, OPENAI_API_KEY, DATABASE_URL: toTcpUrl(postgres.url) }))
    writeFileSync(join(secrets, name), value, { mode: 0o644 })
  const env = {
    ...rest,
    SECRETS: '/run/secrets',
    DATA_DIR: '/data',
    MIGRATE: 'check',
    OPENAI_BASE_URL: vendor.url,
    CONSOLE_PORT: '0',
    PROXY_PORT: '0',
    MAILBOX_SMTP_PORT: '0',
  }
  const command = createImageCommand(files, secrets)
  const migrated = spawnSync(command[0], [...command[1], 'migrate'], { env: { ...env, PATH: process.env['PATH'] }, encoding: 'utf8' })
  if (migrated.status !== 0) throw new Error(`migrate: ${migrated.stdout}${migrated.stderr}`)
  const key = await aPayingKey(postgres.url)
  problems.push(...(await tryEveryRole((role) => startRelease(release, { confined: true, command, env: { ...env, ROLES: role } }), key)))

  // the key of a developer's installation, next to the release's own files
  const planted = join(scratch, 'planted')
  cpSync(release, planted, { recursive: true })
  mkdirSync(join(planted, 'data'))
  writeFileSync(join(planted, 'data/secret.key'), 'planted')
  const refused = buildImage(planted, 'mingxi:planted').status !== 0
  console.log(`${refused ? 'ok ' : 'BAD'} a release with a planted data/secret.key becomes no image`)
  if (!refused) problems.push('the planted key is in an image')
} finally {
  await vendor.stop()
  await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
}
for (const problem of problems) console.error(`BAD ${problem}`)
console.log(problems.length ? `${problems.length} problems` : 'every role of the image starts')
process.exitCode = problems.length ? 1 : 0

/**
 * Builds the command that runs an image as an engine does with `--read-only`: only /tmp, /run and /data are writable, by the image's user.
 */
function createImageCommand(files: string, secrets: string): [string, string[]] {
  const script = `set -e
    root=$1; secrets=$2; shift 2
    mount --bind "$root" "$root"; mount -o remount,ro,bind "$root"
    mount -t tmpfs tmpfs "$root/tmp"; mount -t tmpfs tmpfs "$root/run"; mount -t tmpfs -o uid=10001,gid=10001 tmpfs "$root/data"
    mkdir "$root/run/secrets"; mount --bind "$secrets" "$root/run/secrets"
    mount --rbind /dev "$root/dev"; mount -t proc proc "$root/proc"
    exec setpriv --no-new-privs chroot --userspec=10001:10001 "$root" /opt/mingxi/bin/mingxi "$@"`
  return ['unshare', ['--mount', 'sh', '-c', script, 'sh', files, secrets]]
}

/** Connects by port, because an image does not see the socket of a database outside. */
function toTcpUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  return url.href
}
