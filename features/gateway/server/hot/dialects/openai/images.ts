import { countOf, elementsOf, fieldAt, filesOf, textOf } from '../../media/fields.ts'
import type { Fields } from '../../media/fields.ts'
import { NO_MEDIA } from '../../media/media.ts'
import type { Measured, Media, MediaRules } from '../../media/media.ts'
import { NO_USAGE, count, part, sane, take, isRaw } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import { IMAGES_FIELDS, IMAGES_USAGE } from '../../terms/openai-media.ts'
import { refusalOf } from '../../terms/terms.ts'
import { unknownNumber } from '../../terms/unknown-usage.ts'
import type { DialectRules, Meter, Verdict } from '../dialect.ts'
import { MARGIN, extraImageTokens, usualImageTokens } from '../image-tokens.ts'
import { readMediaFacts } from './media.ts'
import type { MediaRequest } from './media.ts'
import { KEEPALIVE, cutEvent, endsWithDone, eventType } from './sse.ts'
import { eventObject, isErrorEvent } from '../sse.ts'
import type { FieldProblem } from '../../problem.ts'

const MOST_IMAGES = 10
const MOST_INPUTS = 16
/** A picture sent along, at high fidelity. */
const INPUT_IMAGE_TOKENS = 10_000
function imageMedia(fields: Fields, stream: boolean): Media | FieldProblem {
  const format = textOf(fields, 'output_format', 20) ?? ''
  if (format === 'svg')
    return { field: 'output_format', message: '`output_format` svg is billed as a second model and is not served here; ask for png, webp, jpeg or gif.' }
  if (fieldAt(fields, 'svg') !== undefined) return { field: 'svg', message: refusalOf(IMAGES_FIELDS['svg'], 'svg')! }
  const picture = {
    quality: textOf(fields, 'quality', 20),
    size: textOf(fields, 'size', 20),
    format,
    frames: countOf(fields, 'frame_count'),
    complexity: textOf(fields, 'complexity', 20),
    previews: stream ? countOf(fields, 'partial_images') : 0,
  }
  const images = Math.min(countOf(fields, 'n') ?? 1, MOST_IMAGES)
  const inputs = fields.isForm
    ? filesOf(fields, 'image').length + filesOf(fields, 'mask').length + filesOf(fields, 'markup').length
    : elementsOf(fields, 'images')
  return {
    ...NO_MEDIA,
    isForm: fields.isForm,
    answer: stream ? 'events' : 'json',
    textTokens: Buffer.byteLength(textOf(fields, 'prompt', 100_000) ?? '') + 300,
    images,
    imageTokens: usualImageTokens(picture),
    imageExtra: images * extraImageTokens(picture),
    inputImages: Math.min(MOST_INPUTS + 2, inputs),
  }
}

/** Output of image models is billed as image tokens, planning included: their price lists name no other. */
function imageUsage(raw: Raw): Usage | undefined {
  const input = count(raw, 'input_tokens')
  const output = count(raw, 'output_tokens')
  if (input === undefined || output === undefined) return undefined
  const details = part(raw, 'input_tokens_details')
  const total = count(raw, 'total_tokens')
  const imageInput = take(input, count(details, 'image_tokens') ?? 0)
  const cachedInput = take(input - imageInput, count(details, 'cached_tokens') ?? 0)
  const usage: Usage = {
    ...NO_USAGE,
    input: input - imageInput - cachedInput,
    cachedInput,
    imageInput,
    imageOutput: output,
    mismatch: total !== undefined && total !== input + output,
    unknown: unknownNumber(raw, IMAGES_USAGE),
  }
  return sane(usage) ? usage : undefined
}

const media: MediaRules = {
  most: (asked) => ({
    ...NO_USAGE,
    input: asked.textTokens,
    imageInput: asked.inputImages * INPUT_IMAGE_TOKENS,
    imageOutput: Math.ceil(asked.images * asked.imageTokens * MARGIN) + asked.imageExtra,
  }),
  measure: (asked, _model, usage): Measured =>
    usage === undefined
      ? {
          usage: { ...NO_USAGE, input: Math.ceil(asked.textTokens / 6), imageInput: asked.inputImages * 1_000, imageOutput: asked.images * asked.imageTokens },
          provenance: 'estimated',
        }
      : { usage, provenance: 'upstream' },
}

const isCompleted = (event: Buffer): boolean => /^image_(?:generation|edit)\.completed$/.test(eventType(event))

/**
 * Each picture of a stream ends with a `completed` event that holds its own usage: they are added up. The same event
 * sent twice counts once. What may be the last waits for the end of the body.
 */
function onEvent(event: Buffer, _strip: boolean, meter: Meter): Verdict {
  if (endsWithDone(event)) {
    meter.ended = true
    return 'end'
  }
  if (isErrorEvent(event)) {
    meter.failed = true
    meter.ended = true
    return 'end'
  }
  if (!isCompleted(event)) return 'pass'
  const raw = eventObject(event, 'usage')
  const isAgain = meter.unread !== undefined && meter.unread.equals(event)
  meter.unread = event
  if (raw !== undefined && !isAgain) {
    meter.raw = meter.raw === undefined ? raw : added(meter.raw, raw)
    meter.final = true
  }
  return 'hold'
}

function added(a: Raw, b: Raw): Raw {
  const sums: Record<string, unknown> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = sums[key]
    if (typeof value === 'number') sums[key] = typeof known === 'number' ? known + value : value
    else if (isRaw(value)) sums[key] = isRaw(known) ? added(known, value) : value
  }
  return sums
}

const KEYS = [
  'svg',
  'model',
  'stream',
  'prompt',
  'n',
  'size',
  'quality',
  'output_format',
  'partial_images',
  'complexity',
  'frame_count',
  'images',
  'image',
  'mask',
]
const ONCE = ['prompt', 'n', 'size', 'quality', 'output_format', 'partial_images', 'complexity', 'frame_count', 'mask', 'markup']

function images(id: 'openai-images' | 'openai-image-edits', path: string, takesForms: boolean): DialectRules {
  const request: MediaRequest = { wanted: KEYS, takesForms, once: ONCE, media: imageMedia }
  return {
    id,
    surface: 'openai',
    endpoint: path,
    upstreamPath: () => path,
    readFacts: (body, _model, _method, contentType = '') => readMediaFacts(request, body, contentType),
    usageKey: 'usage',
    usageOf: imageUsage,
    media,
    stream: {
      // Few and large: looking at each costs nothing beside its bytes.
      matters: () => true,
      onEvent,
      tally: (event, into) => {
        if (isCompleted(event)) into.finished = true
      },
      rawUsage: (meter) => meter.raw,
      keepalive: KEEPALIVE,
      cut: cutEvent,
    },
  }
}

/** https://platform.openai.com/docs/api-reference/images */
export const openaiImages = images('openai-images', '/v1/images/generations', false)
export const openaiImageEdits = images('openai-image-edits', '/v1/images/edits', true)
