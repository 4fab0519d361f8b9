import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dialect } from '#features/gateway/server/hot/deps.ts'

/** One recorded exchange: the request as a client sends it, the response byte for byte, and the tokens that the vendor billed. */
export interface Transcript {
  readonly name: string
  readonly dialect: Dialect
  readonly stream: boolean
  readonly model: string
  readonly request: { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: Readonly<Record<string, unknown>> }
  readonly response: { readonly status: number; readonly contentType: string; readonly body: string }
  /** Token counts from the vendor's book; `input` includes cached, `output` includes reasoning. */
  readonly billed: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number }
}

export const FIXTURES_FOLDER = join(import.meta.dirname, 'fixtures')

export function loadTranscripts(): Transcript[] {
  return readdirSync(FIXTURES_FOLDER).filter((file) => file.endsWith('.json')).toSorted().map((file) => JSON.parse(readFileSync(join(FIXTURES_FOLDER, file), 'utf8')) as Transcript)
}

/** The events of a stream, each with the blank line (or the comma) that ends it. Joined, they equal the body. */
export function listEvents(transcript: Transcript): string[] {
  const { body, contentType } = transcript.response
  if (!transcript.stream) return [body]
  return contentType.startsWith('text/event-stream') ? body.split(/(?<=\r\n\r\n|\n\n)/) : body.split(/(?<=\n,\r\n)/)
}
