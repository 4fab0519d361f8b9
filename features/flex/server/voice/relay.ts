import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters } from 'werift'
import type { RtpPacket } from 'werift'

export interface RelayOptions {
  /** Range of UDP ports, first and last; any free port if absent. */
  readonly ports?: readonly [number, number] | undefined
  /** Addresses of this machine in addition to those of its interfaces. */
  readonly addresses: readonly string[]
  /** Limit in bytes per second for one participant, headers included; packets above it are dropped. */
  readonly bytesPerSecond: number
}

/** Forwards audio inside a room. It handles connections and tracks; `rooms.ts` maps them to people. */
export interface Relay {
  /** Answers a browser's SDP offer: its microphone first, then `places` tracks on which it receives others. */
  open(peer: string, sdp: string, places: number): Promise<string>
  /** Sends the audio of `from` to `to` on that track. */
  connect(from: string, to: string, place: number): void
  /** Stops sending audio on that track. */
  disconnect(to: string, place: number): void
  close(peer: string): Promise<void>
  /** Number of open connections, of packets forwarded and of packets dropped by the rate limit. */
  figures(): { readonly open: number; readonly passed: number; readonly dropped: number }
}

interface RelayLine {
  readonly connection: RTCPeerConnection
  readonly ears: readonly MediaStreamTrack[]
  /** Receivers of this peer's audio, with the track on which each one gets it. */
  readonly listeners: Map<string, number>
  budget: number
  since: number
}

const OPUS = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 })
const MAX_SDP_LENGTH = 30_000

/**
 * Creates an audio relay that forwards packets unchanged: nothing is decoded or stored. It strips the browser's own addresses
 * from the offer, so the server only answers peers that send the right ICE password and cannot be made to contact other hosts.
 */
export function createRelay({ ports, addresses, bytesPerSecond }: RelayOptions): Relay {
  const lines = new Map<string, RelayLine>()
  let passed = 0
  let dropped = 0

  const hear = (peer: string, packet: RtpPacket): void => {
    const line = lines.get(peer)
    if (!line) return
    if (!takeFromBudget(line, packet.payload.length, bytesPerSecond)) {
      dropped++
      return
    }
    // Header extensions refer to the sender's own tracks and mean something else to a receiver.
    packet.header.extensions = []
    packet.header.extension = false
    for (const [to, place] of line.listeners) {
      lines.get(to)?.ears[place]?.writeRtp(packet)
      passed++
    }
  }
  return {
    open: async (peer, sdp, places) => {
      const connection = new RTCPeerConnection({
        codecs: { audio: [OPUS], video: [] },
        headerExtensions: { audio: [], video: [] },
        iceServers: [],
        iceUseTcp: false,
        iceUseIpv6: false,
        iceAdditionalHostAddresses: [...addresses],
        bundlePolicy: 'max-bundle',
        ...(ports ? { icePortRange: [ports[0], ports[1]] as [number, number] } : {}),
      })
      try {
        connection.onTrack.subscribe((track) => track.onReceiveRtp.subscribe((packet) => hear(peer, packet)))
        await connection.setRemoteDescription({ type: 'offer', sdp: sanitizeOffer(sdp, places) })
        const [mouth, ...rest] = connection.getTransceivers()
        if (!mouth || rest.length !== places) throw new Error('the offer has other lines than it must')
        mouth.setDirection('recvonly')
        const ears = rest.map(() => new MediaStreamTrack({ kind: 'audio' }))
        for (const [at, transceiver] of rest.entries()) {
          transceiver.setDirection('sendonly')
          await transceiver.sender.replaceTrack(ears[at]!)
        }
        lines.set(peer, { connection, ears, listeners: new Map(), budget: bytesPerSecond, since: Date.now() })
        await connection.setLocalDescription(await connection.createAnswer())
        return connection.localDescription!.sdp
      } catch (error) {
        lines.delete(peer)
        await connection.close()
        throw error
      }
    },
    connect: (from, to, place) => {
      const ear = lines.get(to)?.ears[place]
      if (ear) ear.notifySourceChanged({ sequenceNumber: 0, timestamp: 0 })
      lines.get(from)?.listeners.set(to, place)
    },
    disconnect: (to, place) => {
      for (const line of lines.values()) if (line.listeners.get(to) === place) line.listeners.delete(to)
    },
    close: async (peer) => {
      const line = lines.get(peer)
      lines.delete(peer)
      for (const other of lines.values()) other.listeners.delete(peer)
      await line?.connection.close()
    },
    figures: () => ({ open: lines.size, passed, dropped }),
  }
}

/** Overhead of each packet in bytes, so that the rate limit also covers floods of empty packets. */
const HEADER_BYTES = 40

/** Token bucket of one second. */
export function takeFromBudget(line: Pick<RelayLine, 'budget' | 'since'>, sound: number, perSecond: number): boolean {
  const bytes = sound + HEADER_BYTES
  const now = Date.now()
  line.budget = Math.min(perSecond, line.budget + ((now - line.since) * perSecond) / 1000)
  line.since = now
  if (line.budget < bytes) return false
  line.budget -= bytes
  return true
}

/**
 * Validates an SDP offer: audio only, as many media sections as there are places. Removes the browser's addresses, which the server does
 * not need. Throws for anything else.
 */
export function sanitizeOffer(sdp: string, places: number): string {
  if (sdp.length > MAX_SDP_LENGTH) throw new Error('the offer is too long')
  const lines = sdp.split(/\r?\n/)
  const media = lines.filter((line) => line.startsWith('m='))
  if (media.length !== places + 1 || media.some((line) => !line.startsWith('m=audio '))) throw new Error('the offer has other lines than it must')
  return lines.filter((line) => !/^a=(?:candidate:|end-of-candidates)/.test(line)).join('\r\n')
}
