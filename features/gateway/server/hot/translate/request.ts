import type { GatewayModel } from '../deps.ts'
import type { CallFacts } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/index.ts'
import type { RequestRefusal } from '../errors.ts'
import { estimateBytes } from '../usage/estimate.ts'
import { UntranslatableError } from './form.ts'
import type { NeutralRequest, CallerDialect, ModelDialect } from './form.ts'
import { DIALECT_CODECS, translateRequest } from './index.ts'
import { toObjectOrEmpty } from './reading.ts'
import type { AnswerConstraints } from './answer-constraints.ts'
import { isProblem } from '../problem.ts'

/** Model facts for a translation. Plain data, so that it may run on another thread. */
export type TranslationModel = Pick<GatewayModel, 'id' | 'traits' | 'dialects'>

/** A request in the model's own dialect, with facts of the original. */
export interface TranslatedRequest {
  readonly to: ModelDialect
  readonly body: Buffer
  readonly facts: CallFacts
  readonly spaces: NeutralRequest['spaces']
  readonly keeping: AnswerConstraints
  /** No thoughts were requested. */
  readonly hidesThinking: boolean
  readonly functions: boolean
  /** Dropped fields, by the caller's names. */
  readonly dropped: readonly string[]
  /** Estimate, if the answer's first event must contain it. */
  readonly inputTokens: number
}

/** Translates a body into the model's own dialect; refuses what has no equivalent. `most`: the cap, if the vendor requires one. */
export function translateRequestBody(
  model: TranslationModel,
  from: CallerDialect,
  body: Buffer,
  stream: boolean,
  most: number,
): TranslatedRequest | RequestRefusal {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8', body[0] === 0xef ? 3 : 0))
  } catch {
    return { cause: 'bad_json', message: 'The request body is not valid JSON.' }
  }
  try {
    const asking = translateRequest(model, from, toObjectOrEmpty(value), stream, most)
    const written = DIALECTS[asking.to].readFacts(asking.body, model.id, DIALECT_CODECS[asking.to].dial(stream).method)
    if (isProblem(written)) return { cause: 'bad_field', message: written.message, field: written.field }
    return {
      to: asking.to,
      body: asking.body,
      // A cap that only the vendor requires is not the caller's: set aside the amount for a call without one.
      facts: asking.ask.maxTokens === undefined ? { ...written, outputCap: undefined } : written,
      spaces: asking.ask.spaces,
      keeping: {
        oneCall: asking.ask.parallel === false && DIALECT_CODECS[asking.to].callsSideBySide === true,
        jsonOnly: asking.ask.format?.kind === 'json' && DIALECT_CODECS[asking.to].needsSchema === true,
      },
      hidesThinking: asking.ask.thinking === undefined || asking.ask.thinking.effort === 'none',
      functions: asking.ask.functions === true,
      dropped: asking.dropped,
      inputTokens: from === 'anthropic-messages' && stream ? estimateBytes(asking.body) : 0,
    }
  } catch (error) {
    if (error instanceof RangeError) return { cause: 'bad_json', message: 'The request body is nested too deeply.' }
    if (!(error instanceof UntranslatableError)) throw error
    return { cause: 'cannot_translate', message: error.message, field: error.field }
  }
}
