import type { Ctx, Deps, Handler } from '#platform/server/feature.ts'
import { deriveKey } from '#platform/server/sealing/seal.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { actionIsOn, selectTask } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { flexContract } from '../../contract.ts'
import type { voiceContract } from '../../contract-voice.ts'
import { hasVoiceRooms, readLiveKitConfig, readVoiceRoomsConfig } from '../config.ts'
import { requireFlexPackage } from '../service.ts'
import { requireTaskOnPlatform } from '../read.ts'
import { voiceKbps, voiceMinutes, voicePeople, voiceRooms } from '../settings.ts'
import { startRelayThread } from './relay-thread.ts'
import type { RelayThread } from './relay-thread.ts'
import { createVoiceRooms } from './rooms.ts'
import type { VoiceRoom, VoiceRooms, VoiceParticipant, VoiceRole } from './rooms.ts'
import { createAccessToken, readVoiceToken } from './token.ts'

type C = typeof flexContract
type V = typeof voiceContract

const TOKEN_MINUTES = 10
/** Interval at which the subscription is checked. */
const CHECK_MS = 10_000
const SWEEP_MS = 5_000
const ISSUER = 'mingxi'
const GUEST = 'guest'
const ROOM = 'voice-'

/** The user's subscription with voice, if voice is enabled for it. */
async function requireVoiceTask(ctx: Ctx): Promise<Task> {
  const task = await requireTaskOnPlatform(ctx, 1)
  if (!requireFlexPackage(task).services.includes('chatgptVoice')) fail('FLEX_NOT_IN_USE')
  if (!(await actionIsOn(ctx, 'enableChatGPT', ctx.userId))) fail('SERVICE_PAUSED', { reason: '' })
  return task
}

const readOwnVoiceKey = ({ secretKey }: Pick<Deps, 'secretKey'>) => ({ key: ISSUER, secret: deriveKey(secretKey, 'flex.voice') })

/**
 * Issues a token for the subscription's voice room, for its member and invited
 * guests. Uses a LiveKit server if one is configured, else our own rooms.
 */
export const livekitToken: Handler<C['livekitToken']> = async (ctx) => {
  const task = await requireVoiceTask(ctx)
  const livekit = readLiveKitConfig(ctx.config)
  if (!hasVoiceRooms(ctx.config)) fail('FLEX_VOICE_OFF')
  const room = `${ROOM}${task.id}`
  const now = ctx.clock.now()
  const expires = new Date(now.getTime() + TOKEN_MINUTES * 60_000)
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('flex.voice', `service:${task.id}`, { room }))
  const token = createAccessToken(livekit ?? readOwnVoiceKey(ctx), { identity: ctx.userId, room, now, expires })
  const url = livekit?.url ?? `${ctx.siteUrl()}/voice`
  return { kind: livekit ? 'livekit' : 'room', url, token, room, identity: ctx.userId, expiresTime: expires.toISOString() }
}

/** Creates an invitation to the user's voice room; the address admits its holder for ten minutes. */
export const voiceInvite: Handler<V['voiceInvite']> = async (ctx) => {
  const task = await requireVoiceTask(ctx)
  if (!readVoiceRoomsConfig(ctx.config)) fail('FLEX_VOICE_OFF')
  const now = ctx.clock.now()
  const expires = new Date(now.getTime() + TOKEN_MINUTES * 60_000)
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('flex.voice_invited', `service:${task.id}`, {}))
  const token = createAccessToken(readOwnVoiceKey(ctx), { identity: GUEST, room: `${ROOM}${task.id}`, now, expires })
  // In the fragment, so that neither proxies nor the referrer contain it
  return { url: `${ctx.siteUrl()}/voice#${token}`, expiresTime: expires.toISOString() }
}

interface VoiceServer {
  readonly rooms: VoiceRooms
  readonly relay: RelayThread
}
/** One per process; new rooms use the current settings. */
let voiceServer: VoiceServer | undefined
let sweeping: NodeJS.Timeout | undefined

async function ensureVoiceServer(ctx: Ctx): Promise<VoiceServer> {
  if (voiceServer) return voiceServer
  const named = readVoiceRoomsConfig(ctx.config) ?? fail('FLEX_VOICE_OFF')
  const bytesPerSecond = (await ctx.settings.get(voiceKbps)) * 125
  if (voiceServer) return voiceServer
  const relay = startRelayThread(ctx.log, { ...named, bytesPerSecond }, () => voiceServer?.rooms.clear())
  voiceServer = { relay, rooms: createVoiceRooms(relay, () => Date.now()) }
  sweeping = setInterval(() => voiceServer?.rooms.sweep(), SWEEP_MS).unref()
  return voiceServer
}

/** Stops the server and closes all rooms. */
export async function stopVoices(): Promise<void> {
  clearInterval(sweeping)
  const last = voiceServer
  voiceServer = undefined
  await last?.relay.stop()
}

interface Admission {
  readonly room: string
  readonly task: Task
  readonly who: VoiceRole
}
/** Resolves a token to its room and role, while its subscription is in use. */
async function admitByToken(ctx: Ctx, token: string): Promise<Admission> {
  if (!readVoiceRoomsConfig(ctx.config)) fail('FLEX_VOICE_OFF')
  const read = readVoiceToken(readOwnVoiceKey(ctx), token, ctx.clock.now()) ?? fail('FLEX_VOICE_GONE')
  const task = await selectTask(ctx.db, read.room.slice(ROOM.length))
  if (task?.state !== 'in_use') return fail('FLEX_VOICE_GONE')
  return { room: read.room, task, who: read.identity === GUEST ? 'guest' : 'owner' }
}

/** Readmits a participant who lost the connection by their secret, however old their token is. */
async function findReturning(ctx: Ctx, rooms: VoiceRooms, secret: string): Promise<Admission | undefined> {
  const found = rooms.seen(secret, false)
  const task = found && (await selectTask(ctx.db, found.room.taskId))
  return task?.state === 'in_use' ? { room: `${ROOM}${task.id}`, task, who: found!.me.who } : undefined
}

export const voiceLook: Handler<V['voiceLook']> = async (ctx, { token }) => {
  const { room, who } = await admitByToken(ctx, token)
  const here = voiceServer?.rooms.room(room)
  const people = await ctx.settings.get(voicePeople)
  return { who, people, places: people - 1, here: here?.voices.size ?? 0, minutes: await ctx.settings.get(voiceMinutes) }
}

export const voiceJoin: Handler<V['voiceJoin']> = async (ctx, { token, sdp, again }) => {
  const { rooms } = await ensureVoiceServer(ctx)
  const { room: name, task, who } = (again && (await findReturning(ctx, rooms, again))) || (await admitByToken(ctx, token))
  if (again) rooms.leave(again)
  const [people, most, minutes] = await Promise.all([ctx.settings.get(voicePeople), ctx.settings.get(voiceRooms), ctx.settings.get(voiceMinutes)])
  const until = Math.min(Date.now() + minutes * 60_000, Date.now() + task.expiresAt!.getTime() - task.now.getTime())
  try {
    const { me, sdp: answer, room } = await rooms.join(name, { taskId: task.id, who, sdp, limits: { people, rooms: most, until } })
    return { secret: me.secret, id: me.id, sdp: answer, endsTime: new Date(room.until).toISOString() }
  } catch (error) {
    if (error instanceof Failure) throw error
    ctx.log.warn({ taskId: task.id, why: (error as Error).message }, 'a voice could not be connected')
    return fail('FLEX_VOICE_OFFER')
  }
}

/** Heartbeat: records that the participant is present and returns the others. An ended subscription closes its room. */
export const voiceRoom: Handler<V['voiceRoom']> = async (ctx, { secret, muted }) => {
  const found = voiceServer?.rooms.seen(secret, muted) ?? fail('FLEX_VOICE_GONE')
  const { room, me } = found
  if (Date.now() - room.checkedAt > CHECK_MS) {
    room.checkedAt = Date.now()
    if ((await selectTask(ctx.db, room.taskId))?.state !== 'in_use') {
      voiceServer?.rooms.close(`${ROOM}${room.taskId}`)
      return fail('FLEX_VOICE_GONE')
    }
  }
  return { rowList: listPeople(room, me), endsTime: new Date(room.until).toISOString() }
}

const listPeople = (room: VoiceRoom, me: VoiceParticipant) =>
  [...room.voices.values()].map(({ id, who, muted, since }) => ({
    id,
    who,
    isMe: id === me.id,
    isMuted: muted,
    /** Index of the caller's track on which they are heard. */
    place: id === me.id ? null : me.places.indexOf(id),
    sinceTime: new Date(since).toISOString(),
  }))

export const voiceLeave: Handler<V['voiceLeave']> = async (_ctx, { secret }) => {
  voiceServer?.rooms.leave(secret)
  return {}
}
