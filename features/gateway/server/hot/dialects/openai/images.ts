import { readFieldCount, countFieldElements, findRequestField, listFormFiles, readFieldText } from '../../media/fields.ts'
import type { RequestFields } from '../../media/fields.ts'
import { NO_MEDIA } from '../../media/media.ts'
import type { MeasuredUsage, Media, MediaRules } from '../../media/media.ts'
import { NO_USAGE, readTokenCount, readObjectPart, isSaneUsage, takeAtMost, isRaw } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import { IMAGES_FIELDS, IMAGES_USAGE } from '../../terms/openai-media.ts'
import { describeTermsRefusal } from '../../terms/terms.ts'
import { findUnknownNumber } from '../../terms/unknown-usage.ts'
import type { DialectRules, StreamMeter, EventVerdict } from '../dialect.ts'
import { IMAGE_HOLD_MARGIN, computeExtraImageTokens, estimateImageTokens } from '../image-tokens.ts'
import { readMediaFacts } from './media.ts'
import type { MediaRequest } from './media.ts'
import { KEEPALIVE, buildOpenaiCutEvent, endsWithDone, readEventType } from './sse.ts'
import { parseEventObject, isErrorEvent } from '../sse.ts'
import type { FieldProblem } from '../../problem.ts'

const MAX_IMAGES = 10
const MAX_INPUTS = 16
/** An input image, at high fidelity. */
const INPUT_IMAGE_TOKENS = 10_000
function readImageMedia(fields: RequestFields, stream: boolean): Media | FieldProblem {
  const format = readFieldText(fields, 'output_format', 20) ?? ''
  if (format === 'svg')
    return { field: 'output_format', message: '`output_format` svg is billed as a second model and is not served here; ask for png, webp, jpeg or gif.' }
  if (findRequestField(fields, 'svg') !== undefined) return { field: 'svg', message: describeTermsRefusal(IMAGES_FIELDS['svg'], 'svg')! }
  const picture = {
    quality: readFieldText(fields, 'quality', 20),
    size: readFieldText(fields, 'size', 20),
    format,
    frames: readFieldCount(fields, 'frame_count'),
    complexity: readFieldText(fields, 'complexity', 20),
    previews: stream ? readFieldCount(fields, 'partial_images') : 0,
  }
  const images = Math.min(readFieldCount(fields, 'n') ?? 1, MAX_IMAGES)
  const inputs = fields.isForm
    ? listFormFiles(fields, 'image').length + listFormFiles(fields, 'mask').length + listFormFiles(fields, 'markup').length
    : countFieldElements(fields, 'images')
  return {
    ...NO_MEDIA,
    isForm: fields.isForm,
    answer: stream ? 'events' : 'json',
    textTokens: Buffer.byteLength(readFieldText(fields, 'prompt', 100_000) ?? '') + 300,
    images,
    imageTokens: estimateImageTokens(picture),
    imageExtra: images * computeExtraImageTokens(picture),
    inputImages: Math.min(MAX_INPUTS + 2, inputs),
  }
}

/** Output of image models is billed as image tokens, including planning: their price lists have no other class. */
function parseImageUsage(raw: Raw): Usage | undefined {
  const input = readTokenCount(raw, 'input_tokens')
  const output = readTokenCount(raw, 'output_tokens')
  if (input === undefined || output === undefined) return undefined
  const details = readObjectPart(raw, 'input_tokens_details')
  const total = readTokenCount(raw, 'total_tokens')
  const imageInput = takeAtMost(input, readTokenCount(details, 'image_tokens') ?? 0)
  const cachedInput = takeAtMost(input - imageInput, readTokenCount(details, 'cached_tokens') ?? 0)
  const usage: Usage = {
    ...NO_USAGE,
    input: input - imageInput - cachedInput,
    cachedInput,
    imageInput,
    imageOutput: output,
    mismatch: total !== undefined && total !== input + output,
    unknown: findUnknownNumber(raw, IMAGES_USAGE),
  }
  return isSaneUsage(usage) ? usage : undefined
}

const media: MediaRules = {
  most: (asked) => ({
    ...NO_USAGE,
    input: asked.textTokens,
    imageInput: asked.inputImages * INPUT_IMAGE_TOKENS,
    imageOutput: Math.ceil(asked.images * asked.imageTokens * IMAGE_HOLD_MARGIN) + asked.imageExtra,
  }),
  measure: (asked, _model, usage): MeasuredUsage =>
    usage === undefined
      ? {
          usage: { ...NO_USAGE, input: Math.ceil(asked.textTokens / 6), imageInput: asked.inputImages * 1_000, imageOutput: asked.images * asked.imageTokens },
          provenance: 'estimated',
        }
      : { usage, provenance: 'upstream' },
}

const isCompleted = (event: Buffer): boolean => /^image_(?:generation|edit)\.completed$/.test(readEventType(event))

/**
 * Each image of a stream ends with a `completed` event with a separate usage: they are added up. A repeated event counts once. An event
 * that may be the last waits for the end of the body.
 */
function onEvent(event: Buffer, _strip: boolean, meter: StreamMeter): EventVerdict {
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
  const raw = parseEventObject(event, 'usage')
  const isAgain = meter.unread !== undefined && meter.unread.equals(event)
  meter.unread = event
  if (raw !== undefined && !isAgain) {
    meter.raw = meter.raw === undefined ? raw : addUsage(meter.raw, raw)
    meter.final = true
  }
  return 'hold'
}

function addUsage(a: Raw, b: Raw): Raw {
  const sums: Record<string, unknown> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = sums[key]
    if (typeof value === 'number') sums[key] = typeof known === 'number' ? known + value : value
    else if (isRaw(value)) sums[key] = isRaw(known) ? addUsage(known, value) : value
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
const UNREPEATABLE_KEYS = ['prompt', 'n', 'size', 'quality', 'output_format', 'partial_images', 'complexity', 'frame_count', 'mask', 'markup']

function createImagesDialect(id: 'openai-images' | 'openai-image-edits', path: string, takesForms: boolean): DialectRules {
  const request: MediaRequest = { wanted: KEYS, takesForms, once: UNREPEATABLE_KEYS, media: readImageMedia }
  return {
    id,
    surface: 'openai',
    endpoint: path,
    upstreamPath: () => path,
    readFacts: (body, _model, _method, contentType = '') => readMediaFacts(request, body, contentType),
    usageKey: 'usage',
    usageOf: parseImageUsage,
    media,
    stream: {
      // Events are few and large: inspecting each is cheap compared with its bytes.
      matters: () => true,
      onEvent,
      tally: (event, into) => {
        if (isCompleted(event)) into.finished = true
      },
      rawUsage: (meter) => meter.raw,
      keepalive: KEEPALIVE,
      cut: buildOpenaiCutEvent,
    },
  }
}

/** https://platform.openai.com/docs/api-reference/images */
export const openaiImagesDialect = createImagesDialect('openai-images', '/v1/images/generations', false)
export const openaiImageEditsDialect = createImagesDialect('openai-image-edits', '/v1/images/edits', true)
