import type { ReplyOf } from '#platform/shared/contract.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import type { voiceContract } from '../../contract-voice.ts'
import { voiceApi } from './voice-api.ts'

/** A connection to the room: the user's microphone, and a receiving track for each other participant. */
interface VoiceLine {
  readonly secret: string
  readonly endsTime: string
  /** Volume from 0 to 1 of the user and, by track, of the others. */
  levels(): Promise<{ readonly mine: number; readonly others: readonly number[] }>
  close(): void
}

interface VoiceLineOptions {
  readonly token: string
  readonly places: number
  readonly microphone: MediaStreamTrack
  /** The participant's secret from before the connection was lost. */
  readonly again?: string | undefined
  readonly onSound: (sound: MediaStream) => void
  /** Called when the connection is lost for good. */
  readonly onLost: () => void
}

const GATHER_MS = 1_500
/** A connection without packets for this long counts as lost; shorter gaps recover by themselves. */
const LOST_AFTER_MS = 4_000

async function openVoiceLine({ token, places, microphone, again, onSound, onLost }: VoiceLineOptions): Promise<VoiceLine> {
  const connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
  try {
    connection.addTransceiver(microphone, { direction: 'sendonly' })
    const ears = Array.from({ length: places }, () => connection.addTransceiver('audio', { direction: 'recvonly' }))
    onSound(new MediaStream(ears.map(({ receiver }) => receiver.track)))
    await connection.setLocalDescription()
    await waitForCandidates(connection)
    const { sdp, secret, endsTime } = await voiceApi.voiceJoin({ token, sdp: connection.localDescription!.sdp, ...(again ? { again } : {}) })
    await connection.setRemoteDescription({ type: 'answer', sdp })
    await waitForConnection(connection)
    watchConnection(connection, onLost)
    return { secret, endsTime, levels: () => readLevels(connection, ears), close: () => connection.close() }
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Waits for ICE candidates, at most 1.5 s: the server does not need the browser's addresses. */
function waitForCandidates(connection: RTCPeerConnection): Promise<void> {
  if (connection.iceGatheringState === 'complete') return Promise.resolve()
  return new Promise((done) => {
    const timer = setTimeout(done, GATHER_MS)
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState !== 'complete') return
      clearTimeout(timer)
      done()
    })
  })
}

function waitForConnection(connection: RTCPeerConnection): Promise<void> {
  return new Promise((done, fail) => {
    const look = () => {
      if (connection.connectionState === 'connected') done()
      else if (connection.connectionState === 'failed' || connection.connectionState === 'closed') fail(new Error('no line'))
    }
    connection.addEventListener('connectionstatechange', look)
    look()
  })
}

function watchConnection(connection: RTCPeerConnection, onLost: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  connection.addEventListener('connectionstatechange', () => {
    clearTimeout(timer)
    if (connection.connectionState === 'failed') onLost()
    if (connection.connectionState === 'disconnected') timer = setTimeout(onLost, LOST_AFTER_MS)
  })
}

async function readLevels(connection: RTCPeerConnection, ears: readonly RTCRtpTransceiver[]) {
  let mine = 0
  const byMid = new Map<string, number>()
  for (const raw of (await connection.getStats()).values()) {
    const stat = raw as { readonly type: string; readonly audioLevel?: number; readonly mid?: string }
    if (stat.type === 'media-source') mine = stat.audioLevel ?? 0
    if (stat.type === 'inbound-rtp' && stat.mid !== undefined) byMid.set(stat.mid, stat.audioLevel ?? 0)
  }
  return { mine, others: ears.map(({ mid }) => byMid.get(mid ?? '') ?? 0) }
}

export type CallPerson = ReplyOf<(typeof voiceContract)['voiceRoom']>['rowList'][number]
export type CallPhase = 'out' | 'asking' | 'connecting' | 'in' | 'again' | 'left' | 'denied' | 'noMic' | 'closed' | 'full' | 'failed'
export interface AudioLevels {
  readonly mine: number
  readonly others: readonly number[]
}
export interface CallView {
  readonly phase: CallPhase
  readonly people: readonly CallPerson[]
  readonly endsTime?: string
  readonly levels: AudioLevels
  readonly muted: boolean
}

const MAX_ATTEMPTS = 6
export const SILENT_LEVELS: AudioLevels = { mine: 0, others: [] }
const delay = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** State of a call that survives a lost connection. */
interface LiveCall {
  readonly microphone: MediaStream
  readonly sound: HTMLAudioElement
  line?: VoiceLine | undefined
  secret?: string | undefined
  over: boolean
  mending: boolean
}

export interface CallRoom {
  /** Called at each attempt: tokens are valid for ten minutes, calls last longer. */
  readonly tokenOf: () => Promise<string>
  readonly places: number
  readonly see: (more: Partial<CallView>) => void
}

/** Controls a call in a room, from joining to its end. Reports its state through `see`. */
export function createVoiceCall(room: CallRoom) {
  let live: LiveCall | undefined
  let muted = false
  const end = (phase: CallPhase): void => {
    const last = live
    live = undefined
    if (last) hangUp(last, phase)
    room.see({ phase, people: [], levels: SILENT_LEVELS, muted: false })
  }
  return {
    end,
    isLive: () => live !== undefined,
    join: async (): Promise<void> => {
      if (live) return
      room.see({ phase: 'asking' })
      const microphone = await requestMicrophone()
      if (typeof microphone === 'string') return room.see({ phase: microphone })
      muted = false
      live = { microphone, sound: new Audio(), over: false, mending: false }
      room.see({ phase: 'connecting', muted })
      await connectCall(room, live, end)
    },
    mute: (to: boolean): void => {
      muted = to
      for (const track of live?.microphone.getAudioTracks() ?? []) track.enabled = !to
      room.see({ muted })
    },
    /** Sends a heartbeat and fetches the participants. */
    poll: async (): Promise<void> => {
      const now = live
      if (!now?.secret || !now.line) return
      try {
        const { rowList, endsTime } = await voiceApi.voiceRoom({ secret: now.secret, muted })
        if (live === now) room.see({ people: rowList, endsTime })
      } catch (error) {
        // The page slept too long, or the server restarted: rejoin, and learn whether the room is closed.
        if (live !== now || !isApiError(error) || error.errorName !== 'FLEX_VOICE_GONE') return
        now.secret = undefined
        room.see({ phase: 'again' })
        await connectCall(room, now, end)
      }
    },
    listen: async (): Promise<void> => {
      const now = live
      const levels = await now?.line?.levels()
      if (levels && live === now) room.see({ levels })
    },
    /** Sends a leave beacon when the page unloads. */
    bye: (): void => {
      if (live?.secret) navigator.sendBeacon('/v1/tool/voice/leave', new Blob([JSON.stringify({ secret: live.secret })], { type: 'application/json' }))
    },
  }
}

async function requestMicrophone(): Promise<MediaStream | 'noMic' | 'denied'> {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } })
  } catch (error) {
    return (error as DOMException).name === 'NotFoundError' ? 'noMic' : 'denied'
  }
}

function hangUp(last: LiveCall, phase: CallPhase): void {
  last.over = true
  last.line?.close()
  for (const track of last.microphone.getTracks()) track.stop()
  last.sound.srcObject = null
  if (last.secret && phase !== 'closed') void voiceApi.voiceLeave({ secret: last.secret }).catch(() => {})
}

const CLOSED_ERRORS = ['FLEX_VOICE_GONE', 'FLEX_NOT_IN_USE', 'FLEX_VOICE_OFF', 'SERVICE_PAUSED']
export const isRoomClosed = (error: unknown): boolean => isApiError(error) && CLOSED_ERRORS.includes(error.errorName ?? '')

/** Connects with exponential backoff until it succeeds or a retry makes no sense. */
async function connectCall(room: CallRoom, now: LiveCall, end: (phase: CallPhase) => void): Promise<void> {
  if (now.mending) return
  now.mending = true
  now.line?.close()
  now.line = undefined
  for (let turn = 0; !now.over; turn++) {
    try {
      const line = await openCallLine(room, now, end)
      if (now.over) line.close()
      else {
        now.line = line
        now.secret = line.secret
        room.see({ phase: 'in', endsTime: line.endsTime })
      }
      break
    } catch (error) {
      if (now.over) break
      if (isRoomClosed(error)) end('closed')
      else if (isApiError(error) && error.errorName === 'FLEX_VOICE_FULL') end('full')
      else if (turn >= MAX_ATTEMPTS) end('failed')
      else {
        room.see({ phase: now.secret ? 'again' : 'connecting' })
        await delay(Math.min(1000 * 2 ** turn, 8000))
      }
    }
  }
  now.mending = false
}

async function openCallLine(room: CallRoom, now: LiveCall, end: (phase: CallPhase) => void): Promise<VoiceLine> {
  return openVoiceLine({
    token: await room.tokenOf(),
    places: room.places,
    microphone: now.microphone.getAudioTracks()[0]!,
    again: now.secret,
    onSound: (sound) => {
      now.sound.srcObject = sound
      void now.sound.play().catch(() => {})
    },
    onLost: () => {
      if (now.over) return
      room.see({ phase: 'again' })
      void connectCall(room, now, end)
    },
  })
}
