import type { BlockList, Socket } from 'node:net'
import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isPublicAddress } from '#platform/server/http/public-call.ts'
import { containsAddress } from './addresses.ts'

/** Reason why a target was not reached; becomes the client's status and a traffic counter. */
export type RefusalCause = 'port' | 'address' | 'unknown' | 'down' | 'limit' | 'spent'
export class DialRefused extends Error {
  readonly refusal: RefusalCause
  constructor(refusal: RefusalCause) {
    super(refusal)
    this.refusal = refusal
  }
}

/** Rules for the targets of tunnels. */
export interface Policy {
  readonly ports: readonly number[]
  /** Networks refused besides non-public ones: those of this machine. */
  readonly refused: readonly BlockList[]
  /** `address:port` allowed regardless of the rules, for tests. */
  readonly except: ReadonlySet<string>
  /** Resolves a name to all of its addresses; empty if the name does not exist. */
  readonly resolve: (name: string) => Promise<readonly string[]>
}

/** An exit with its credentials. */
export interface DialExit {
  readonly url: string
  /** `user:password`. */
  readonly auth: string | undefined
}

const DIAL_MS = 10_000
const MAX_ADDRESSES = 3
const HEAD_BYTES = 8192

/**
 * Addresses of a host that may be dialled. A name with one non-public address is refused as a whole: its owner could
 * return that address to a second query. The name is resolved only once: the checked address is the one dialled.
 */
export async function resolveCheckedAddresses(host: string, port: number, policy: Policy): Promise<readonly string[]> {
  const plain = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const found = isIP(plain) ? [plain] : await policy.resolve(plain)
  if (!found.length) throw new DialRefused('unknown')
  const isExcepted = found.every((address) => policy.except.has(`${address}:${port}`))
  if (isExcepted) return found
  if (!policy.ports.includes(port)) throw new DialRefused('port')
  if (!found.every((address) => isPublicAddress(address) && !policy.refused.some((list) => containsAddress(list, address)))) throw new DialRefused('address')
  return found
}

/** Connects to the first checked address that answers, through the exit if there is one; the exit receives the address, not the name. */
export async function dialTarget(addresses: readonly string[], port: number, exit: DialExit | undefined): Promise<Socket> {
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    try {
      return await (exit ? dialThroughExit(exit, address, port) : waitForOpen(connect({ host: address, port, noDelay: true })))
    } catch {
      continue // try the next address
    }
  }
  throw new DialRefused('down')
}

function waitForOpen(socket: Socket, event: 'connect' | 'secureConnect' = 'connect'): Promise<Socket> {
  return new Promise((done, failed) => {
    const giveUp = (error?: Error) => {
      socket.destroy()
      failed(error ?? new Error('no answer'))
    }
    const timer = setTimeout(giveUp, DIAL_MS)
    const settled = () => {
      clearTimeout(timer)
      socket.off('error', giveUp).off('close', giveUp)
    }
    socket.once('error', giveUp).once('close', () => giveUp())
    socket.once(event, () => {
      settled()
      socket.removeAllListeners('close')
      done(socket)
    })
  })
}

async function dialThroughExit({ url, auth }: DialExit, address: string, port: number): Promise<Socket> {
  const { protocol, hostname, port: exitPort } = new URL(url)
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(exitPort || (protocol === 'https:' ? 443 : 80)) }
  const socket = await (protocol === 'https:'
    ? waitForOpen(connectTls({ ...at, ...(isIP(at.host) ? {} : { servername: at.host }) }), 'secureConnect')
    : waitForOpen(connect({ ...at, noDelay: true })))
  const authority = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
  const credentials = auth === undefined ? '' : `proxy-authorization: Basic ${Buffer.from(auth).toString('base64')}\r\n`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`)
  return waitForConnectReply(socket)
}

/** Reads the exit's response to CONNECT; bytes after it belong to the tunnel and are put back. */
function waitForConnectReply(socket: Socket): Promise<Socket> {
  return new Promise((done, failed) => {
    let head = Buffer.alloc(0)
    const giveUp = () => {
      socket.destroy()
      failed(new Error('the exit refused'))
    }
    const timer = setTimeout(giveUp, DIAL_MS)
    const read = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length < HEAD_BYTES) return
      clearTimeout(timer)
      socket.off('data', read).off('error', giveUp).off('close', giveUp).pause()
      if (!/^HTTP\/1\.[01] 2\d\d\b/.test(head.subarray(0, 32).toString('latin1'))) return giveUp()
      const rest = head.subarray(end + 4)
      if (rest.length) socket.unshift(rest)
      done(socket)
    }
    socket.on('data', read).once('error', giveUp).once('close', giveUp)
  })
}
