import { findRequestField, readFieldFlag, readRequestFields, findRepeatedField, readFieldText } from '../../media/fields.ts'
import type { RequestFields } from '../../media/fields.ts'
import { NO_BILLABLE_OPTIONS } from '../billable-options.ts'
import type { Media } from '../../media/media.ts'
import type { JsonMember } from '../../json/scan.ts'
import type { CallFacts } from '../dialect.ts'
import { isProblem } from '../../problem.ts'
import type { FieldProblem } from '../../problem.ts'

/** Common rules for reading media requests: the model, consistent if repeated, and if a stream is requested. */
export interface MediaRequest {
  readonly wanted: readonly string[]
  readonly takesForms: boolean
  /** Form fields that may appear only once: those that affect the price, and single files. */
  readonly once: readonly string[]
  readonly media: (fields: RequestFields, stream: boolean) => Media | FieldProblem
}

/** Facts of a request that may be JSON or a form. */
export function readMediaFacts(request: MediaRequest, body: Buffer, contentType: string, defaultModel?: string): CallFacts | FieldProblem {
  const fields = readRequestFields(body, contentType, request.wanted, request.takesForms)
  if (isProblem(fields)) return fields
  const twice = findRepeatedField(fields, ['model', 'stream', ...request.once])
  if (twice !== undefined) return twice
  const isNamed = findRequestField(fields, 'model') !== undefined
  if (!isNamed && defaultModel === undefined) return { field: 'model', message: 'You must provide a `model` parameter.' }
  const model = isNamed ? readFieldText(fields, 'model', 200) : defaultModel
  if (model === undefined || model === '') return { field: 'model', message: '`model` must be a string that names a model.' }
  const stream = request.wanted.includes('stream') ? readFieldFlag(fields, 'stream') : false
  if (stream === undefined) return { field: 'stream', message: '`stream` must be true or false.' }
  const media = request.media(fields, stream)
  if ('message' in media) return media
  return {
    model,
    modelRanges: fields.members.filter((member) => member.key === 'model') as JsonMember[],
    stream: media.answer === 'events',
    outputCap: undefined,
    copies: 1,
    usageAsked: true,
    streamOptions: undefined,
    media,
    asks: NO_BILLABLE_OPTIONS,
  }
}
