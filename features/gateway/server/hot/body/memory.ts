import type { ApiKey } from '../deps.ts'
import type { Refused } from '../errors.ts'

/** Bytes of large bodies in memory, by account and in all: a few customers cannot take what there is. */
export interface BodyMemory {
  readonly most: number
  readonly mostOfOne: number
  used: number
  readonly byAccount: Map<bigint, number>
}

/** What it must know of a call. */
interface Sender {
  readonly bodies: BodyMemory
  readonly apiKey: ApiKey | undefined
  bodyRoom: number
}

export function createBodyMemory(most: number): BodyMemory {
  return { most, mostOfOne: Math.ceil(most / 4), used: 0, byAccount: new Map() }
}

/** Takes room for a call's body, on top of what it has; a refusal where there is none. It is given back at the call's end. */
export function takeRoom(call: Sender, bytes: number): Refused | undefined {
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

export function giveRoomBack(call: Sender): void {
  const { bodies, bodyRoom } = call
  if (bodyRoom === 0) return
  call.bodyRoom = 0
  bodies.used -= bodyRoom
  const account = call.apiKey!.accountId
  const left = bodies.byAccount.get(account)! - bodyRoom
  if (left > 0) bodies.byAccount.set(account, left)
  else bodies.byAccount.delete(account)
}
