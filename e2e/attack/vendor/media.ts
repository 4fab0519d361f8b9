import type { AttackBookEntry } from './book.ts'
import { estimateTokens } from './prompt-contents.ts'
import { measureSoundSeconds } from './sound.ts'
import type { Tariff, UsedUnits } from './tariff.ts'

/** The vendor's charge and response for a request other than a conversation. */
export interface MediaCharge {
  readonly used: UsedUnits
  readonly type: string
  /** Several parts for a stream. */
  readonly body: readonly (string | Buffer)[]
  /** False if responses of this form carry no usage. */
  readonly tells: boolean
}

const json = (used: UsedUnits, data: object): MediaCharge => ({ used, type: 'application/json', body: [JSON.stringify(data)], tells: true })
const events = (used: UsedUnits, ...all: readonly { readonly type: string }[]): MediaCharge => ({
  used,
  type: 'text/event-stream',
  body: [...all.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`), 'data: [DONE]\n\n'],
  tells: true,
})

/** At most 2,048 inputs of 8,191 tokens, and 300,000 tokens in total; a number in a list is one token. */
export function chargeEmbeddings(body: any): MediaCharge {
  const counted = (value: any): number =>
    typeof value === 'string'
      ? estimateTokens(value)
      : typeof value === 'number'
        ? 1
        : Array.isArray(value)
          ? value.reduce((sum, item) => sum + counted(item), 0)
          : 0
  const tokens = Math.min(300_000, counted(body.input))
  return json(
    { input: tokens },
    { object: 'list', model: body.model, data: [{ object: 'embedding', index: 0, embedding: [0.1] }], usage: { prompt_tokens: tokens, total_tokens: tokens } },
  )
}

export function chargeGeminiEmbedding(body: any): MediaCharge {
  const tokens = estimateTokens(JSON.stringify(body.requests ?? body.content ?? ''))
  const values = { values: [0.1] }
  return json(
    { input: tokens },
    {
      ...(body.requests ? { embeddings: body.requests.map(() => values) } : { embedding: values }),
      usageMetadata: { promptTokenCount: tokens, totalTokenCount: tokens },
    },
  )
}

/** A chunk is 500 tokens of a document with its query; a search is up to a hundred chunks. */
export function chargeRerank(tariff: Tariff, body: any): MediaCharge {
  const documents = (body.documents ?? []) as unknown[]
  const asked = estimateTokens(String(body.query ?? ''))
  const sizes = documents.map((one) => estimateTokens(typeof one === 'string' ? one : JSON.stringify(one)))
  const searches = Math.max(1, Math.ceil(sizes.reduce((sum, size) => sum + Math.max(1, Math.ceil((size + asked) / 500)), 0) / 100))
  const tokens = sizes.reduce((sum, size) => sum + size + asked, 0)
  const bySearch = tariff.prices['searches'] !== undefined
  const results = documents.map((_, index) => ({ index, relevance_score: 0.5 }))
  const billed = bySearch ? { search_units: searches } : { input_tokens: tokens }
  return json(bySearch ? { searches } : { input: tokens }, { id: 'rerank', results, meta: { api_version: { version: '2' }, billed_units: billed } })
}

const QUALITY: Readonly<Record<string, number>> = { low: 272, medium: 1_760, high: 7_040, xhigh: 14_080, max: 28_160 }
const SQUARE_PIXELS = 1_024 * 1_024

/** Charges images by quality and area, their previews, and the prompt's text; every input image counts at high fidelity. */
export function chargeImages(body: any, sent: number): MediaCharge {
  const [wide, high] = /^\d+x\d+$/.test(String(body.size)) ? String(body.size).split('x').map(Number) : [1_536, 1_024]
  const area = Math.max(1, Math.min(3_840 * 2_160, wide! * high!) / SQUARE_PIXELS)
  const count = Math.min(10, Number(body.n ?? 1))
  const frames = body.output_format === 'gif' ? Math.min(16, Number(body.frame_count ?? 9)) : 1
  const isStream = String(body.stream) === 'true'
  const previews = isStream ? Math.min(3, Number(body.partial_images ?? 0)) : 0
  const output = Math.ceil((QUALITY[body.quality] ?? QUALITY['high']!) * area * frames) * count + previews * 100 * count
  const input = estimateTokens(String(body.prompt ?? ''))
  const seen = sent * 6_240
  const usage = {
    input_tokens: input + seen,
    input_tokens_details: { text_tokens: input, image_tokens: seen },
    output_tokens: output,
    total_tokens: input + seen + output,
  }
  const used = { input, imageInput: seen, imageOutput: output }
  if (isStream) return events(used, { type: 'image_generation.completed', ...({ b64_json: 'AA==', usage } as object) })
  return json(used, { created: 1_795_000_000, data: Array.from({ length: count }, () => ({ b64_json: 'AA==' })), usage })
}

const TOKENS_PER_SECOND = 1_250 / 60

/** Charges speech: digits are spoken as words, and a slow speed makes all of it four times as long. */
export function chargeSpeech(tariff: Tariff, body: any): MediaCharge {
  const text = String(body.input)
  if (tariff.prices['characters'] !== undefined) {
    const made = { used: { characters: [...text].length }, type: 'audio/mpeg', body: [Buffer.alloc(2_000, 0xff)], tells: false }
    return made
  }
  let seconds = 0
  for (const one of text) seconds += /\d/.test(one) ? 0.5 : one.codePointAt(0)! > 0x2e7f ? 0.6 : 0.12
  const spoken = Math.ceil((seconds / Math.min(1, Math.max(0.25, Number(body.speed ?? 1)))) * TOKENS_PER_SECOND)
  const input = estimateTokens(text)
  const usage = { input_tokens: input, output_tokens: spoken, total_tokens: input + spoken }
  return events(
    { input, audioOutput: spoken },
    { type: 'speech.audio.delta', ...({ audio: 'AA==' } as object) },
    { type: 'speech.audio.done', ...({ usage } as object) },
  )
}

export function chargeTranscription(tariff: Tariff, fields: Readonly<Record<string, string>>, file: Buffer): MediaCharge {
  const seconds = measureSoundSeconds(file)
  const format = fields['response_format'] ?? 'json'
  if (tariff.prices['seconds'] !== undefined) {
    const used = { seconds }
    if (format === 'text' || format === 'srt' || format === 'vtt') return { used, type: 'text/plain', body: ['hello'], tells: false }
    return json(used, {
      text: 'hello',
      ...(format === 'verbose_json' ? { duration: seconds, language: 'en', segments: [] } : {}),
      usage: { type: 'duration', seconds },
    })
  }
  const [input, output] = [seconds * 10, Math.min(2_000, seconds * 4)]
  const usage = {
    type: 'tokens',
    input_tokens: input,
    input_token_details: { audio_tokens: input, text_tokens: 0 },
    output_tokens: output,
    total_tokens: input + output,
  }
  return json({ audioInput: input, output }, { text: 'hello', usage })
}

/** The fields and files of a form. */
export function parseAttackForm(body: Buffer, type: string): { fields: Record<string, string>; files: Buffer[] } {
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1] ?? ''
  const fields: Record<string, string> = {}
  const files: Buffer[] = []
  const mark = Buffer.from(`--${boundary}`)
  for (let at = body.indexOf(mark); at >= 0;) {
    const next = body.indexOf(mark, at + mark.length)
    if (next < 0) break
    const part = body.subarray(at + mark.length + 2, next - 2)
    const split = part.indexOf('\r\n\r\n')
    const head = part.toString('latin1', 0, Math.max(0, split))
    const content = part.subarray(split + 4)
    if (/filename=/.test(head)) files.push(content)
    else fields[/name="([^"]*)"/.exec(head)?.[1] ?? ''] = content.toString()
    at = next
  }
  return { fields, files }
}

export const describeMediaUsage = (made: MediaCharge): AttackBookEntry['used'] => JSON.stringify(made.used)
