import { voiceApi } from './voice-api.ts'

/** A connection to the room: the user's microphone, and a receiving track for each other participant. */
export interface VoiceLine {
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

export async function openVoiceLine({ token, places, microphone, again, onSound, onLost }: VoiceLineOptions): Promise<VoiceLine> {
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
