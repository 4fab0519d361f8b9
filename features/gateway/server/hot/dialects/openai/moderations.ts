import { NO_MEDIA } from '../../media/media.ts'
import type { MediaRules } from '../../media/media.ts'
import { findRequestField } from '../../media/fields.ts'
import { NO_USAGE } from '../../usage/usage.ts'
import type { DialectRules } from '../dialect.ts'
import { parseOpenaiUsage } from './usage.ts'
import { readMediaFacts } from './media.ts'
import type { MediaRequest } from './media.ts'

/** The vendor charges nothing and reports no usage. A model with a price is billed by the usage that it reports. */
const media: MediaRules = {
  most: (asked) => ({ ...NO_USAGE, input: asked.textTokens }),
  measure: (_asked, _model, usage) => ({ usage: usage ?? NO_USAGE, provenance: usage === undefined ? 'counted' : 'upstream' }),
}

const request: MediaRequest = {
  wanted: ['model', 'input'],
  takesForms: false,
  once: [],
  media: (fields) =>
    findRequestField(fields, 'input') === undefined
      ? { field: 'input', message: 'You must provide an `input` parameter.' }
      : { ...NO_MEDIA, textTokens: fields.body.length },
}

/** The SDK may omit the model; this is the vendor's default. */
const DEFAULT_MODEL = 'omni-moderation-latest'

/** https://platform.openai.com/docs/api-reference/moderations */
export const openaiModerationsDialect: DialectRules = {
  id: 'openai-moderations',
  surface: 'openai',
  endpoint: '/v1/moderations',
  upstreamPath: () => '/v1/moderations',
  readFacts: (body, _model, _method, contentType = '') => readMediaFacts(request, body, contentType, DEFAULT_MODEL),
  usageKey: 'usage',
  usageOf: parseOpenaiUsage,
  media,
  stream: undefined,
}
