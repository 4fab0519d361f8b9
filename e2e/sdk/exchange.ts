import { request } from 'node:http'
import type { Transcript } from '../transcripts/transcript.ts'
import type { CallEnd, GatewayUnderTest } from './gateway.ts'

export interface ExchangeReply {
  readonly status: number
  readonly contentType: string
  readonly body: string
  /** True if the connection broke before the end of the response. */
  readonly broken: boolean
}

export interface ExchangeOptions {
  readonly body?: Readonly<Record<string, unknown>>
  /** The client disconnects after this many bytes (0: after the headers). */
  readonly leaveAt?: number
}

/** Sends a transcript's request through a gateway; returns the raw bytes, or the failure. */
export function exchangeTranscript(gateway: GatewayUnderTest, transcript: Transcript, { body, leaveAt }: ExchangeOptions = {}): Promise<ExchangeReply> {
  return new Promise((resolve, reject) => {
    const req = request(
      gateway.baseUrl + transcript.request.path,
      {
        method: 'POST',
        headers: { ...transcript.request.headers, 'content-type': 'application/json', 'authorization': `Bearer ${gateway.apiKey}` },
      },
      (res) => {
        const chunks: Buffer[] = []
        let size = 0
        const done = (broken: boolean) =>
          resolve({ status: res.statusCode ?? 0, contentType: res.headers['content-type'] ?? '', body: Buffer.concat(chunks).toString(), broken })
        const leave = () => {
          done(true)
          req.destroy()
        }
        res.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          if (leaveAt !== undefined && size >= leaveAt) leave()
        })
        res.on('end', () => done(!res.complete))
        res.on('error', () => done(true))
        if (leaveAt === 0) leave()
      },
    )
    req.on('error', (error) => (leaveAt === undefined ? reject(error) : resolve({ status: 0, contentType: '', body: '', broken: true })))
    req.end(JSON.stringify(body ?? transcript.request.body))
  })
}

/** The single outcome of each call since the last `forget`; throws unless every call ended exactly once. */
export async function collectCallEnds(gateway: GatewayUnderTest): Promise<readonly CallEnd[]> {
  await gateway.idle()
  const ends = await gateway.ends()
  for (const { callId } of await gateway.reserved()) {
    const mine = ends.filter((end) => end.callId === callId)
    if (mine.length !== 1) throw new Error(`call ${callId} was resolved ${mine.length} times: ${mine.map((end) => `${end.how} (${end.outcome})`).join(', ')}`)
  }
  return ends
}
