import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Deps } from '#platform/server/feature.ts'
import { createRepeater } from '#platform/server/repeat.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { getOwnProxyUrl, resolveProxyAddress } from '#features/proxy/server/door.ts'
import { readRemoteConfig } from '../config.ts'
import { deleteRemoteNode, upsertRemoteNode } from '../data.ts'
import { createRemoteHost } from './host.ts'
import { createRemoteSockets } from './socket.ts'
import type { RemoteSockets } from './socket.ts'

const POLL_INTERVAL_MS = 500
/** Heartbeat interval, well within the 15 seconds for which a node counts as alive. */
const HEARTBEAT_MS = 5_000
const FOLDER_PREFIX = 'mingxi-remote-'

let sockets: RemoteSockets | undefined

/** A page that requests a session, and the process that runs browsers. */
export function openRemoteSocket(_deps: Deps, request: IncomingMessage, { socket, early }: { readonly socket: Duplex; readonly early: Buffer }): void {
  if (sockets) return sockets.open(request, socket, early)
  socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
}

/** Runs the remote browsers of this process and resolves to a function that stops them. A browser starts only when a session is queued. */
export async function runRemote(deps: Deps): Promise<() => Promise<void>> {
  const config = readRemoteConfig(deps)
  const base = createProcessFolder(config.REMOTE_DIR)
  const node = `node_${createRandomCode(10)}`
  const host = createRemoteHost(deps, {
    node,
    places: config.REMOTE_PLACES,
    base,
    proxy: () => config.REMOTE_PROXY ?? getOwnProxyUrl() ?? readPublicProxy(deps),
    chromium: config.REMOTE_CHROMIUM,
    isOwnUser: config.REMOTE_OWN_USER,
  })
  sockets = createRemoteSockets(deps, host, () => [new URL(deps.siteUrl()).origin])
  const note = () => upsertRemoteNode(deps.db, { id: node, url: config.REMOTE_PUBLIC ?? '', places: config.REMOTE_PLACES, refusal: host.refusal() })
  await note()
  await host.look()
  // Independent of the sync: the node stays visible however long browsers take to end
  const repeater = createRepeater(deps.log)
  repeater.add('remote.note', HEARTBEAT_MS, note)
  repeater.add('remote.look', POLL_INTERVAL_MS, host.look)
  return async () => {
    await repeater.stop()
    await host.stop()
    sockets?.stop()
    sockets = undefined
    await deleteRemoteNode(deps.db, node)
    rmSync(base, { recursive: true, force: true })
  }
}

function readPublicProxy(deps: Deps): string {
  const { scheme, host, port } = resolveProxyAddress(deps)
  return `${scheme}://${host}:${port}`
}

/**
 * Creates this process's folder and deletes folders that killed processes left: their browsers ended with their pipes. A folder with this
 * process id is left over too, e.g. in a container, where each start has the same id.
 */
export function createProcessFolder(parent: string): string {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(FOLDER_PREFIX))) {
    const pid = Number(name.slice(FOLDER_PREFIX.length).split('-')[0])
    if (pid === process.pid || !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(parent, `${FOLDER_PREFIX}${process.pid}-`))
  // Traversable for the sessions' users, each of whom owns a folder in it, but not listable
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
