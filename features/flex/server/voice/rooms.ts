import { randomBytes } from 'node:crypto'
import { fail } from '#platform/shared/errors.ts'
import type { RelayThread } from './relay-thread.ts'

export type VoiceRole = 'owner' | 'guest'

/** A participant. `id` is public to the room; `secret` authenticates the participant and is never shared. */
export interface VoiceParticipant {
  readonly id: string
  readonly secret: string
  readonly who: VoiceRole
  readonly since: number
  muted: boolean
  seenAt: number
  /** Id of the participant heard on each track. */
  readonly places: (string | undefined)[]
}

export interface VoiceRoom {
  readonly taskId: string
  /** Time in milliseconds at which the room closes. */
  readonly until: number
  /** Time in milliseconds of the last check of the subscription. */
  checkedAt: number
  readonly voices: Map<string, VoiceParticipant>
}

export interface VoiceLimits {
  /** Limits of participants in a room and of concurrent rooms. */
  readonly people: number
  readonly rooms: number
  readonly until: number
}

/** A participant whose heartbeat is older than this is removed. */
export const HEARTBEAT_TIMEOUT_MS = 45_000

interface RoomsState {
  readonly relay: Pick<RelayThread, 'open' | 'connect' | 'disconnect' | 'close'>
  readonly now: () => number
  /** Rooms by name. */
  readonly rooms: Map<string, VoiceRoom>
  /** Room names by participant secret. */
  readonly roomOf: Map<string, string>
}

/** Creates the registry of rooms and participants in this process. The relay handles connections and tracks only; this maps them to people. */
export function createVoiceRooms(relay: RoomsState['relay'], now: () => number) {
  const state: RoomsState = { relay, now, rooms: new Map(), roomOf: new Map() }
  return {
    sweep: () => sweepRooms(state),
    close: (name: string) => closeRoom(state, name),
    leave: (secret: string) => leaveRoom(state, secret),
    room: (name: string): VoiceRoom | undefined => {
      sweepRooms(state)
      return state.rooms.get(name)
    },
    /** Records a participant's heartbeat and returns their room; undefined if the room is closed or the secret unknown. */
    seen: (secret: string, muted: boolean): { room: VoiceRoom; me: VoiceParticipant } | undefined => {
      sweepRooms(state)
      const room = state.rooms.get(state.roomOf.get(secret) ?? '')
      const me = room?.voices.get(secret)
      if (!room || !me) return undefined
      me.seenAt = now()
      me.muted = muted
      return { room, me }
    },
    /** Admits a participant. Errors: FLEX_VOICE_FULL, FLEX_VOICE_GONE. Throws for an invalid offer. */
    join: (name: string, joining: JoiningVoice) => joinRoom(state, name, joining),
    /** Removes all rooms: the relay ended, and with it every connection. */
    clear: (): void => {
      state.rooms.clear()
      state.roomOf.clear()
    },
    size: () => state.rooms.size,
  }
}
export type VoiceRooms = ReturnType<typeof createVoiceRooms>

/** A participant with the SDP offer of its browser. */
interface JoiningVoice {
  readonly taskId: string
  readonly who: VoiceRole
  readonly sdp: string
  readonly limits: VoiceLimits
}

async function joinRoom(state: RoomsState, name: string, { taskId, who, sdp, limits }: JoiningVoice) {
  const { relay, now, rooms, roomOf } = state
  sweepRooms(state)
  const known = rooms.get(name)
  if ((!known && rooms.size >= limits.rooms) || (known && known.voices.size >= limits.people)) fail('FLEX_VOICE_FULL')
  const room: VoiceRoom = known ?? { taskId, until: limits.until, checkedAt: now(), voices: new Map() }
  rooms.set(name, room)
  const [id, secret] = [randomBytes(6).toString('hex'), randomBytes(18).toString('base64url')]
  const places = Array.from({ length: limits.people - 1 }, () => undefined)
  const me: VoiceParticipant = { id, secret, who, since: now(), muted: false, seenAt: now(), places }
  // Take the place before awaiting the relay, so that two concurrent joins never share the last one.
  room.voices.set(secret, me)
  roomOf.set(secret, name)
  try {
    const answer = await relay.open(id, sdp, places.length)
    // Connecting may take long on a slow machine; heartbeats begin afterwards.
    me.seenAt = now()
    if (rooms.get(name) !== room || !room.voices.has(secret)) return fail('FLEX_VOICE_GONE')
    for (const other of room.voices.values()) {
      if (other === me) continue
      routeAudio(relay, other, me)
      routeAudio(relay, me, other)
    }
    return { me, sdp: answer, room }
  } catch (error) {
    leaveRoom(state, secret)
    // The room may have closed before the connection existed
    relay.close(id)
    throw error
  }
}

/** Routes the audio of `from` to the first free track of `to`. */
function routeAudio(relay: RoomsState['relay'], from: VoiceParticipant, to: VoiceParticipant): void {
  const place = to.places.indexOf(undefined)
  if (place < 0) return
  to.places[place] = from.id
  relay.connect(from.id, to.id, place)
}

function leaveRoom({ relay, rooms, roomOf }: RoomsState, secret: string): void {
  const name = roomOf.get(secret)
  const room = name === undefined ? undefined : rooms.get(name)
  roomOf.delete(secret)
  if (!room || name === undefined) return
  const gone = room.voices.get(secret)
  room.voices.delete(secret)
  if (gone) {
    relay.close(gone.id)
    for (const other of room.voices.values()) {
      const place = other.places.indexOf(gone.id)
      if (place < 0) continue
      other.places[place] = undefined
      relay.disconnect(other.id, place)
    }
  }
  if (!room.voices.size) rooms.delete(name)
}

function closeRoom(state: RoomsState, name: string): void {
  for (const secret of [...(state.rooms.get(name)?.voices.keys() ?? [])]) leaveRoom(state, secret)
  state.rooms.delete(name)
}

function sweepRooms(state: RoomsState): void {
  for (const [name, room] of state.rooms) {
    if (room.until <= state.now()) closeRoom(state, name)
    else for (const { secret, seenAt } of [...room.voices.values()]) if (state.now() - seenAt > HEARTBEAT_TIMEOUT_MS) leaveRoom(state, secret)
  }
}
