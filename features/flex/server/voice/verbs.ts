import type { Ctx, Deps, Handler } from '#platform/server/feature.ts'
import { keyFor } from '#platform/server/sealing/seal.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { actionIsOn, taskById } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { flexContract } from '../../contract.ts'
import type { voiceContract } from '../../contract-voice.ts'
import { hasVoiceRooms, livekitOf, roomsOf } from '../config.ts'
import { packageIn } from '../service.ts'
import { usedOn } from '../read.ts'
import { voiceKbps, voiceMinutes, voicePeople, voiceRooms } from '../settings.ts'
import { relayThread } from './relay-thread.ts'
import type { RelayThread } from './relay-thread.ts'
import { createRooms } from './rooms.ts'
import type { Room, Rooms, Voice, Who } from './rooms.ts'
import { accessToken, readToken } from './token.ts'

type C = typeof flexContract
type V = typeof voiceContract

const TOKEN_MINUTES = 10
/** How often it is looked whether the subscription still lasts. */
const CHECK_MS = 10_000
const SWEEP_MS = 5_000
const ISSUER = 'mingxi'
const GUEST = 'guest'
const ROOM = 'voice-'

/** The voice subscription that one has, if voice is on for it. */
async function voiceTask(ctx: Ctx): Promise<Task> {
  const task = await usedOn(ctx, 1)
  if (!packageIn(task).services.includes('chatgptVoice')) fail('FLEX_NOT_IN_USE')
  if (!(await actionIsOn(ctx, 'enableChatGPT', ctx.userId))) fail('SERVICE_PAUSED', { reason: '' })
  return task
}

const ours = ({ secretKey }: Pick<Deps, 'secretKey'>) => ({ key: ISSUER, secret: keyFor(secretKey, 'flex.voice') })

/**
 * Issues a token for the subscription's voice room, for its member and invited
 * guests. Uses a LiveKit server if one is configured, else our own rooms.
 */
export const livekitToken: Handler<C['livekitToken']> = async (ctx) => {
  const task = await voiceTask(ctx)
  const livekit = livekitOf(ctx.config)
  if (!hasVoiceRooms(ctx.config)) fail('FLEX_VOICE_OFF')
  const room = `${ROOM}${task.id}`
  const now = ctx.clock.now()
  const expires = new Date(now.getTime() + TOKEN_MINUTES * 60_000)
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('flex.voice', `service:${task.id}`, { room }))
  const token = accessToken(livekit ?? ours(ctx), { identity: ctx.userId, room, now, expires })
  const url = livekit?.url ?? `${ctx.siteUrl()}/voice`
  return { kind: livekit ? 'livekit' : 'room', url, token, room, identity: ctx.userId, expiresTime: expires.toISOString() }
}

/** Creates an invitation to the user's voice room; the address admits its holder for ten minutes. */
export const voiceInvite: Handler<V['voiceInvite']> = async (ctx) => {
  const task = await voiceTask(ctx)
  if (!roomsOf(ctx.config)) fail('FLEX_VOICE_OFF')
  const now = ctx.clock.now()
  const expires = new Date(now.getTime() + TOKEN_MINUTES * 60_000)
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('flex.voice_invited', `service:${task.id}`, {}))
  const token = accessToken(ours(ctx), { identity: GUEST, room: `${ROOM}${task.id}`, now, expires })
  // In the fragment, so that no server on the way and no referrer sees it
  return { url: `${ctx.siteUrl()}/voice#${token}`, expiresTime: expires.toISOString() }
}

interface House {
  readonly rooms: Rooms
  readonly relay: RelayThread
}
/** One a process; the newest settings count for the rooms that begin. */
let house: House | undefined
let sweeping: NodeJS.Timeout | undefined

async function houseOf(ctx: Ctx): Promise<House> {
  if (house) return house
  const named = roomsOf(ctx.config) ?? fail('FLEX_VOICE_OFF')
  const bytesPerSecond = (await ctx.settings.get(voiceKbps)) * 125
  if (house) return house
  const relay = relayThread(ctx.log, { ...named, bytesPerSecond }, () => house?.rooms.clear())
  house = { relay, rooms: createRooms(relay, () => Date.now()) }
  sweeping = setInterval(() => house?.rooms.sweep(), SWEEP_MS).unref()
  return house
}

/** The server ends, and every room with it. */
export async function stopVoices(): Promise<void> {
  clearInterval(sweeping)
  const last = house
  house = undefined
  await last?.relay.stop()
}

interface Let {
  readonly room: string
  readonly task: Task
  readonly who: Who
}
/** Whom a token lets in where, while what it was made for is used. */
async function letIn(ctx: Ctx, token: string): Promise<Let> {
  if (!roomsOf(ctx.config)) fail('FLEX_VOICE_OFF')
  const read = readToken(ours(ctx), token, ctx.clock.now()) ?? fail('FLEX_VOICE_GONE')
  const task = await taskById(ctx.db, read.room.slice(ROOM.length))
  if (task?.state !== 'in_use') return fail('FLEX_VOICE_GONE')
  return { room: read.room, task, who: read.identity === GUEST ? 'guest' : 'owner' }
}

/** Readmits a participant who lost the connection by their secret, however old their token is. */
async function stillThere(ctx: Ctx, rooms: Rooms, secret: string): Promise<Let | undefined> {
  const found = rooms.seen(secret, false)
  const task = found && (await taskById(ctx.db, found.room.taskId))
  return task?.state === 'in_use' ? { room: `${ROOM}${task.id}`, task, who: found!.me.who } : undefined
}

export const voiceLook: Handler<V['voiceLook']> = async (ctx, { token }) => {
  const { room, who } = await letIn(ctx, token)
  const here = house?.rooms.room(room)
  const people = await ctx.settings.get(voicePeople)
  return { who, people, places: people - 1, here: here?.voices.size ?? 0, minutes: await ctx.settings.get(voiceMinutes) }
}

export const voiceJoin: Handler<V['voiceJoin']> = async (ctx, { token, sdp, again }) => {
  const { rooms } = await houseOf(ctx)
  const { room: name, task, who } = (again && (await stillThere(ctx, rooms, again))) || (await letIn(ctx, token))
  if (again) rooms.leave(again)
  const [people, most, minutes] = await Promise.all([ctx.settings.get(voicePeople), ctx.settings.get(voiceRooms), ctx.settings.get(voiceMinutes)])
  const until = Math.min(Date.now() + minutes * 60_000, Date.now() + task.expires_at!.getTime() - task.now.getTime())
  try {
    const { me, sdp: answer, room } = await rooms.join(name, { taskId: task.id, who }, sdp, { people, rooms: most, until })
    return { secret: me.secret, id: me.id, sdp: answer, endsTime: new Date(room.until).toISOString() }
  } catch (error) {
    if (error instanceof Failure) throw error
    ctx.log.warn({ taskId: task.id, why: (error as Error).message }, 'a voice could not be connected')
    return fail('FLEX_VOICE_OFFER')
  }
}

/** That one is still there, and who else is. A subscription that has ended takes its room with it. */
export const voiceRoom: Handler<V['voiceRoom']> = async (ctx, { secret, muted }) => {
  const found = house?.rooms.seen(secret, muted) ?? fail('FLEX_VOICE_GONE')
  const { room, me } = found
  if (Date.now() - room.checkedAt > CHECK_MS) {
    room.checkedAt = Date.now()
    if ((await taskById(ctx.db, room.taskId))?.state !== 'in_use') {
      house?.rooms.close(`${ROOM}${room.taskId}`)
      return fail('FLEX_VOICE_GONE')
    }
  }
  return { rowList: peopleOf(room, me), endsTime: new Date(room.until).toISOString() }
}

const peopleOf = (room: Room, me: Voice) =>
  [...room.voices.values()].map(({ id, who, muted, since }) => ({
    id,
    who,
    isMe: id === me.id,
    isMuted: muted,
    /** On which of the caller's lines they are heard. */
    place: id === me.id ? null : me.places.indexOf(id),
    sinceTime: new Date(since).toISOString(),
  }))

export const voiceLeave: Handler<V['voiceLeave']> = async (_ctx, { secret }) => {
  house?.rooms.leave(secret)
  return {}
}
