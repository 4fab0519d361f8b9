import type { ApiKey } from '../deps.ts'
import type { RequestRefusal } from '../errors.ts'

/** Memory used by large bodies, in total and per account, limited so that a few customers cannot exhaust it. */
export interface BodyMemory {
  readonly most: number
  readonly mostOfOne: number
  used: number
  readonly byAccount: Map<bigint, number>
}

/** Owner of body memory: a call or a socket. */
export interface BodyMemoryOwner {
  readonly bodies: BodyMemory
  readonly apiKey: ApiKey | undefined
  bodyRoom: number
}

export function createBodyMemory(most: number): BodyMemory {
  return { most, mostOfOne: Math.ceil(most / 4), used: 0, byAccount: new Map() }
}

/**
 * Reserves memory for a call's body, in addition to its current reservation; returns a refusal if there is none. Released when the call
 * ends.
 */
export function reserveRoom(call: BodyMemoryOwner, bytes: number): RequestRefusal | undefined {
  const { bodies } = call
  const account = call.apiKey!.accountId
  const own = bodies.byAccount.get(account) ?? 0
  if (own + bytes > bodies.mostOfOne) {
    return {
      cause: 'too_many_at_once',
      message: `Your requests under way hold ${own} bytes of bodies; ${bodies.mostOfOne} are accepted at once. Wait for one to end, or send less in each.`,
    }
  }
  if (bodies.used + bytes > bodies.most)
    return { cause: 'unavailable', message: 'Too many large requests are under way here at the moment. Try again shortly.' }
  bodies.used += bytes
  bodies.byAccount.set(account, own + bytes)
  call.bodyRoom += bytes
  return undefined
}

/** Sets the owner's reservation to this many bytes; returns a refusal, and changes nothing, if memory is short. */
export function resizeRoom(call: BodyMemoryOwner, bytes: number): RequestRefusal | undefined {
  if (bytes > call.bodyRoom) return reserveRoom(call, bytes - call.bodyRoom)
  releaseBytes(call, call.bodyRoom - bytes)
  return undefined
}

export const releaseRoom = (call: BodyMemoryOwner): void => releaseBytes(call, call.bodyRoom)

function releaseBytes(call: BodyMemoryOwner, bytes: number): void {
  if (bytes === 0) return
  const { bodies } = call
  call.bodyRoom -= bytes
  bodies.used -= bytes
  const account = call.apiKey!.accountId
  const left = bodies.byAccount.get(account)! - bytes
  if (left > 0) bodies.byAccount.set(account, left)
  else bodies.byAccount.delete(account)
}

/** Buffers allocated for one body each; they may be longer than the body. */
const ownedBuffers = new WeakSet<ArrayBuffer>()

/** Allocates uninitialised memory for one body, which can be transferred to another thread without a copy. */
export function allocateBody(size: number): Buffer<ArrayBuffer> {
  const memory = Buffer.allocUnsafeSlow(size)
  ownedBuffers.add(memory.buffer)
  return memory
}

/** Memory that can be transferred to another thread without a copy: that of bytes which do not share their buffer. */
export function listTransferable(bytes: unknown): ArrayBuffer[] {
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return []
  const isAlone = bytes.byteLength === bytes.buffer.byteLength || ownedBuffers.has(bytes.buffer)
  return isAlone && bytes.byteLength > 0 ? [bytes.buffer] : []
}

/** Wraps bytes as a Buffer without a copy: they arrive as plain bytes from another thread. */
export const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
