/**
 * `npm run release:try [-- FOLDER]`: builds a release, or takes the one in FOLDER, and starts each production role of it alone: read-only, as a
 * user without rights, with secrets in files. Opens the site and the console, makes a model call, runs commands, and prints sizes, times, memory.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { findBrokenChildren } from '../../scripts/release/children.ts'
import { canConfine, buildConfinedCommand, PLACEHOLDER_SETTINGS, startRelease } from '../../scripts/release/start-release.ts'
import { findReleaseProblems } from '../../scripts/release/checksums.ts'
import { aPayingKey, startRehearsalVendor } from './rehearsal.ts'
import { tryEveryRole } from './roles.ts'

const problems: string[] = []
const expect = (isTrue: boolean, problem: string): void => void (isTrue || problems.push(problem))
const scratch = mkdtempSync(join(tmpdir(), 'mingxi-try-'))
chmodSync(scratch, 0o755)
const releaseArgument = process.argv[2]
const release = resolve(releaseArgument ?? join(scratch, 'release'))
if (!releaseArgument) execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/release/build.ts'), '--to', release], { stdio: 'inherit' })
const isConfined = canConfine()
if (!isConfined) console.log('not root: the release is started as this user, and its folder is not mounted read-only')

const postgres = await startPostgres(join(scratch, 'postgres'))
const vendor = await startRehearsalVendor()
/** Secrets as services mount them: one file each, readable for the user of the service. */
const writeSecretFile = (name: string, value: string): string => {
  const file = join(scratch, name)
  writeFileSync(file, value, { mode: 0o644 })
  return file
}
const { SECRET_KEY, OPENAI_API_KEY, ...rest } = PLACEHOLDER_SETTINGS
const env = {
  ...rest,
  SECRET_KEY_FILE: writeSecretFile('secret_key', SECRET_KEY),
  OPENAI_API_KEY_FILE: writeSecretFile('openai_key', OPENAI_API_KEY),
  DATABASE_URL_FILE: writeSecretFile('database_url', postgres.url),
  OPENAI_BASE_URL: vendor.url,
  MIGRATE: 'check',
  CONSOLE_PORT: '0',
  PROXY_PORT: '0',
  MAILBOX_SMTP_PORT: '0',
}
const run = (...words: string[]) => {
  const [command, args] = isConfined ? buildConfinedCommand(release, words) : [join(release, 'bin/mingxi'), words]
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: '/', env: { PATH: process.env['PATH'], DATA_DIR: scratch, ...env }, encoding: 'utf8' })
  console.log(`  mingxi ${words.join(' ').padEnd(24)} ${status}  ${(stdout + stderr).trim().split('\n').at(-1)!.slice(0, 110)}`)
  return status
}

try {
  for (const problem of [...findReleaseProblems(release), ...(await findBrokenChildren(release))]) expect(false, problem)
  const size = (path = '.'): string => execFileSync('du', ['-sm', path], { cwd: release, encoding: 'utf8' }).split('\t')[0]!
  console.log(`release ${size()} MB: ${['bin', 'node_modules', 'server', 'pages', 'compiled'].map((name) => `${name} ${size(name)}`).join(', ')}`)
  expect(run('migrate') === 0, 'migrate failed')
  const key = await aPayingKey(postgres.url)
  problems.push(...(await tryEveryRole((role) => startRelease(release, { confined: isConfined, env: { ...env, ROLES: role } }), key)))
  for (const name of ['wallet:verify', 'secrets:reseal', 'operate']) expect(run(name) === 0, `mingxi ${name} failed`)
  expect(run('operators:first', '--mail', 'owner@example.com', '--name', 'Owner') === 0, 'mingxi operators:first failed')
} finally {
  await vendor.stop()
  await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
}
for (const problem of problems) console.error(`BAD ${problem}`)
console.log(problems.length ? `${problems.length} problems` : `every role of ${releaseArgument ?? 'the release'} starts`)
process.exitCode = problems.length ? 1 : 0
