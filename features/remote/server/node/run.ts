import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Deps } from '#platform/server/feature.ts'
import { createRepeater } from '#platform/server/repeat.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { ownProxy, proxyPlace } from '#features/proxy/server/door.ts'
import { remoteConfigOf } from '../config.ts'
import { forgetNode, noteNode } from '../data.ts'
import { createHost } from './host.ts'
import { createSockets } from './socket.ts'
import type { Sockets } from './socket.ts'

const LOOK_MS = 500
/** Within the quarter of a minute in which others believe it. */
const SEEN_MS = 5_000
const PREFIX = 'mingxi-remote-'

let sockets: Sockets | undefined

/** A page that wants to look, at a process that runs browsers. */
export function openSocket(_deps: Deps, request: IncomingMessage, socket: Duplex, early: Buffer): void {
  if (sockets) return sockets.open(request, socket, early)
  socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
}

/** Runs the remote browsers of this process and resolves to a function that stops them. A browser starts only when a session is queued. */
export async function runRemote(deps: Deps): Promise<() => Promise<void>> {
  const config = remoteConfigOf(deps)
  const base = ownFolder(config.REMOTE_DIR)
  const node = `node_${randomCode(10)}`
  const host = createHost(deps, {
    node,
    places: config.REMOTE_PLACES,
    base,
    proxy: () => config.REMOTE_PROXY ?? ownProxy() ?? publicProxy(deps),
    chromium: config.REMOTE_CHROMIUM,
    isOwnUser: config.REMOTE_OWN_USER,
  })
  sockets = createSockets(deps, host, () => [new URL(deps.siteUrl()).origin])
  const note = () => noteNode(deps.db, { id: node, url: config.REMOTE_PUBLIC ?? '', places: config.REMOTE_PLACES, refusal: host.refusal() })
  await note()
  await host.look()
  // Apart from each other: however long browsers take to end, others know that this process is there
  const repeater = createRepeater(deps.log)
  repeater.add('remote.note', SEEN_MS, note)
  repeater.add('remote.look', LOOK_MS, host.look)
  return async () => {
    await repeater.stop()
    await host.stop()
    sockets?.stop()
    sockets = undefined
    await forgetNode(deps.db, node)
    rmSync(base, { recursive: true, force: true })
  }
}

function publicProxy(deps: Deps): string {
  const { scheme, host, port } = proxyPlace(deps)
  return `${scheme}://${host}:${port}`
}

/**
 * A folder of this process's own. What processes left that were killed goes first: their browsers ended with their pipes. One under this
 * process's own number is of another before it, as in a container, where each start has the same.
 */
export function ownFolder(parent: string): string {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length).split('-')[0])
    if (pid === process.pid || !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  // Entered by the users of its sessions, each of whom owns a folder in it and can list none
  chmodSync(folder, 0o711)
  return folder
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
