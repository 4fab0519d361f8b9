import type { Counts } from '../read/ask.ts'
import type { Prepared } from '../write/prepared.ts'
import { refuse } from '../write/errors.ts'
import { num, str, type JsonObject } from '../read/json.ts'
import type { Knobs } from '../read/knobs.ts'
import { counted, framedReply, mediaAsk, wholeReply } from '../read/media-ask.ts'
import { drawPng } from './png.ts'
import { EVENT_STREAM, type Frame } from '../write/reply.ts'
import { countTokens } from '../tokens.ts'
import { reported, usageFor } from '../usage.ts'
import type { Upload } from '../visit.ts'

const QUALITY: Readonly<Record<string, number>> = { low: 272, medium: 1_760, high: 7_040, xhigh: 14_080, max: 28_160 }
const FORMATS = ['png', 'jpeg', 'webp', 'gif']
/** A picture sent along, whatever its size; one preview. */
const INPUT_TOKENS = 1_000
const PREVIEW_TOKENS = 100

/** Pictures from a prompt, or from pictures and a prompt. Always drawn as PNG, whatever format is asked for. */
export function prepareImages(
  kind: 'openai-images' | 'openai-image-edits',
  body: JsonObject,
  files: readonly Upload[],
  knobsOf: (text: string) => Knobs,
): Prepared {
  const model = str(body['model']) ?? refuse('you must provide a model parameter', { param: 'model' })
  const prompt = str(body['prompt']) ?? refuse("Missing required parameter: 'prompt'.", { param: 'prompt', code: 'missing_required_parameter' })
  if (!prompt || prompt.length > 32_000) refuse("Invalid 'prompt': string too long or empty.", { param: 'prompt' })
  const n = numeric(body, 'n', 1, 10) ?? 1
  const size = /^(\d+)x(\d+)$/.exec(textual(body, 'size') ?? '1024x1024')
  if (!size && body['size'] !== 'auto') refuse(`Invalid value: '${String(body['size'])}'.`, { param: 'size', code: 'invalid_value' })
  const [width, height] = size ? [Number(size[1]), Number(size[2])] : [1_024, 1_024]
  if (width < 16 || height < 16 || width * height > 3_840 * 2_160) refuse('Invalid size.', { param: 'size', code: 'invalid_value' })
  const quality = textual(body, 'quality') ?? 'auto'
  const base = quality === 'auto' ? QUALITY['medium'] : QUALITY[quality]
  if (base === undefined) refuse(`Invalid value: '${quality}'.`, { param: 'quality', code: 'invalid_value' })
  const format = textual(body, 'output_format') ?? 'png'
  if (!FORMATS.includes(format)) refuse(`Invalid value: '${format}'.`, { param: 'output_format', code: 'invalid_value' })
  const uploads = files.filter((file) => /^(image|mask|markup)(\[\d*\])?$/.test(file.field))
  const given = uploads.length + (Array.isArray(body['images']) ? body['images'].length : 0)
  if (kind === 'openai-image-edits' && given === 0) refuse("Missing required parameter: 'image'.", { param: 'image', code: 'missing_required_parameter' })
  const stream = body['stream'] === true || body['stream'] === 'true'
  const previews = stream ? (numeric(body, 'partial_images', 0, 3) ?? 0) : 0
  const each = Math.round((base * Math.max(1, (width * height) / 1_048_576)) as number) + previews * PREVIEW_TOKENS
  const text = countTokens(prompt)
  const input = { input: text + given * INPUT_TOKENS, imageInput: given * INPUT_TOKENS }
  const counts = counted({ ...input, output: n * each })
  const ask = mediaAsk(kind, model, prompt, stream, knobsOf(prompt))
  const facts = { background: 'opaque', output_format: format, quality: quality === 'auto' ? 'medium' : quality, size: `${width}x${height}` }
  const picture = (at: number): string => drawPng(`${model}\0${ask.question}\0${at}`, width, height).toString('base64')
  return {
    ask,
    answers: false,
    counts,
    write: (calm, _worked, { created }) => {
      const usage = reported(counts, calm.knobs.fault)
      if (!stream) {
        const data = Array.from({ length: n }, (_, at) => ({ b64_json: picture(at) }))
        return wholeReply(counts, { created, ...facts, data, ...(usage ? { usage: usageFor(kind, usage) } : {}) })
      }
      return framedReply(
        counts,
        events(n, previews, (at) => ownPart(at, input, each)),
        EVENT_STREAM,
      )

      function events(images: number, partials: number, partOf: (at: number) => Counts): Frame[] {
        const name = kind === 'openai-images' ? 'image_generation' : 'image_edit'
        const frames: Frame[] = []
        let done = counted({})
        const add = (type: string, more: JsonObject, last: boolean): void => {
          const event = { type: `${name}.${type}`, created_at: created, ...facts, ...more }
          frames.push({
            data: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
            output: done.output,
            reasoning: 0,
            generated: done,
            ...(last ? { usage: true } : {}),
          })
        }
        for (let at = 0; at < images; at++) {
          for (let p = 0; p < partials; p++) add('partial_image', { b64_json: drawPng(`${at} ${p}`, 64, 64).toString('base64'), partial_image_index: p }, false)
          const own = reported(partOf(at), calm.knobs.fault)
          done = counted({
            input: done.input + partOf(at).input,
            imageInput: (done.imageInput ?? 0) + (partOf(at).imageInput ?? 0),
            output: done.output + each,
          })
          add('completed', { b64_json: picture(at), ...(own ? { usage: usageFor(kind, own) } : {}) }, true)
        }
        return frames
      }
    },
  }
}

/** The prompt is counted with the first picture. */
function ownPart(at: number, input: { readonly input: number; readonly imageInput: number }, output: number): Counts {
  return counted(at === 0 ? { ...input, output } : { imageInput: 0, output })
}

const textual = (body: JsonObject, key: string): string | undefined => {
  const value = body[key]
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : refuse(`Invalid type for '${key}': expected a string.`, { param: key, code: 'invalid_type' })
}

/** Forms write numbers as text. */
function numeric(body: JsonObject, key: string, least: number, most: number): number | undefined {
  const value = body[key]
  if (value === undefined || value === null) return undefined
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : num(value)
  if (number === undefined || !Number.isInteger(number)) return refuse(`Invalid type for '${key}': expected an integer.`, { param: key, code: 'invalid_type' })
  if (number < least || number > most) return refuse(`Invalid '${key}': integer out of range.`, { param: key, code: 'integer_out_of_range' })
  return number
}
