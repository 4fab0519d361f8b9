import type { GatewayCall } from '../call.ts'
import { findLastMember } from '../json/members.ts'
import { findMember, scanObject, skipSpace, skipValue } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'

/**
 * Hash for prompt cache affinity: the account, with the conversation that the client names or else the beginning of its prompt.
 * Calls with the same hash go to the same upstream while it is healthy.
 */
const SESSION_HEADERS = new Set([
  'session_id',
  'session-id',
  'conversation_id',
  'conversation-id',
  'x-session-id',
  'x-session-affinity',
  'x-conversation-id',
  'x-claude-code-session-id',
])
/** Members that name a conversation or the caller's own user, best first; metadata by its `user_id`. */
const CONVERSATION_KEYS = ['prompt_cache_key', 'metadata', 'safety_identifier', 'user'] as const
const INSTRUCTION_KEYS = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const
const TURN_KEYS = ['messages', 'input', 'contents'] as const
const WANTED = [...CONVERSATION_KEYS, ...INSTRUCTION_KEYS, ...TURN_KEYS]
/** Bytes hashed of the instructions and of each first message: enough to distinguish prompts. */
const PREFIX_BYTES = 512
const OPEN_ARRAY = 91,
  COMMA = 44,
  QUOTE = 34
const HASH_SEED = 0x811c9dc5

/** An unsigned 32-bit number; costs one shallow scan of the body, without building objects. */
export function computeStickyHash(call: GatewayCall): number {
  const account = hashText(HASH_SEED, String(call.apiKey!.accountId))
  const session = sessionHeader(call.head.forward)
  if (session !== '') return mix(hashText(account, session))
  const { body } = call
  const found: JsonMember[] = []
  const start = body[0] === 0xef ? 3 : 0
  if (scanObject(body, start, body.length, WANTED, found) < 0) return mix(account)
  for (const name of CONVERSATION_KEYS) {
    const at = findLastMember(found, name)
    const value = name === 'metadata' && at !== undefined ? findMember(body, at.start, at.end, 'user_id') : at
    if (value !== undefined && body[value.start] === QUOTE && value.end - value.start > 2) return mix(hashBytes(account, body, value.start, value.end))
  }
  return mix(prefixHash(account, body, found))
}

function sessionHeader(forward: readonly string[]): string {
  for (let i = 0; i < forward.length; i += 2) if (SESSION_HEADERS.has(forward[i]!.toLowerCase())) return forward[i + 1]!
  return ''
}

/** Instructions, and the turns up to the first that is not instructions: the part that remains the same as a conversation grows. */
function prefixHash(account: number, body: Buffer, found: readonly JsonMember[]): number {
  let hash = account
  for (const name of INSTRUCTION_KEYS) {
    const at = findLastMember(found, name)
    if (at !== undefined) hash = hashBytes(hash, body, at.start, Math.min(at.end, at.start + PREFIX_BYTES))
  }
  for (const name of TURN_KEYS) {
    const at = findLastMember(found, name)
    if (at !== undefined) hash = hashTurns(hash, body, at)
  }
  return hash
}

function hashTurns(account: number, body: Buffer, turns: JsonMember): number {
  let hash = account
  if (body[turns.start] !== OPEN_ARRAY) return hashBytes(hash, body, turns.start, Math.min(turns.end, turns.start + PREFIX_BYTES))
  let at = skipSpace(body, turns.start + 1, turns.end)
  while (at < turns.end - 1) {
    const end = skipValue(body, at, turns.end)
    if (end < 0) return hash
    hash = hashBytes(hash, body, at, Math.min(end, at + PREFIX_BYTES))
    if (!isInstruction(body, at, end)) return hash
    at = skipSpace(body, end, turns.end)
    if (body[at] === COMMA) at = skipSpace(body, at + 1, turns.end)
  }
  return hash
}

function isInstruction(body: Buffer, from: number, end: number): boolean {
  const role = findMember(body, from, end, 'role')
  if (role === undefined) return false
  const text = body.toString('latin1', role.start, role.end)
  return text === '"system"' || text === '"developer"'
}

/** FNV-1a, to be mixed at the end. */
function hashBytes(from: number, bytes: Buffer, start: number, end: number): number {
  let hash = from
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash
}

function hashText(from: number, text: string): number {
  let hash = from
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** Spreads every bit over all of them (the finaliser of MurmurHash3). */
function mix(given: number): number {
  let hash = given
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * Rendezvous hashing with weights: the upstream with the highest score takes the number. Shares follow the weights; an added upstream takes
 * its share from the others, and nothing else moves.
 */
export function computeUpstreamScore(hash: number, upstream: string, weight: number): number {
  const even = (mix(hashText(hash ^ HASH_SEED, upstream)) + 0.5) / 4_294_967_296
  return weight / -Math.log(even)
}
