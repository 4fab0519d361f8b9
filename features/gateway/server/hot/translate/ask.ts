import type { Model } from '../deps.ts'
import type { Facts } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/index.ts'
import type { Refused } from '../errors.ts'
import { estimateBytes } from '../usage/estimate.ts'
import { Unexpressible } from './form.ts'
import type { Ask, Heard, Spoken } from './form.ts'
import { TONGUES, translateAsk } from './index.ts'
import { obj } from './reading.ts'
import type { Keeping } from './shaped.ts'
import { isProblem } from '../problem.ts'

/** Model facts for a translation. Plain data, so that it may run on another thread. */
export type AskModel = Pick<Model, 'id' | 'traits' | 'dialects'>

/** A request in the model's own dialect, with facts of the original. */
export interface Asked {
  readonly to: Spoken
  readonly body: Buffer
  readonly facts: Facts
  readonly spaces: Ask['spaces']
  readonly keeping: Keeping
  /** No thoughts were asked for. */
  readonly hidesThinking: boolean
  readonly functions: boolean
  /** Dropped fields, by the caller's names. */
  readonly dropped: readonly string[]
  /** Estimate, if the answer's first event must contain it. */
  readonly inputTokens: number
}

/** Translates a body into the model's own dialect; refuses what has no equivalent. `most`: the cap, if the vendor requires one. */
export function askedOf(model: AskModel, from: Heard, body: Buffer, stream: boolean, most: number): Asked | Refused {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8', body[0] === 0xef ? 3 : 0))
  } catch {
    return { cause: 'bad_json', message: 'The request body is not valid JSON.' }
  }
  try {
    const asking = translateAsk(model, from, obj(value), stream, most)
    const written = DIALECTS[asking.to].readFacts(asking.body, model.id, TONGUES[asking.to].dial(stream).method)
    if (isProblem(written)) return { cause: 'bad_field', message: written.message, field: written.field }
    return {
      to: asking.to,
      body: asking.body,
      // A cap that only the vendor demands is no wish of the caller's: set aside is what any call without one sets aside.
      facts: asking.ask.maxTokens === undefined ? { ...written, outputCap: undefined } : written,
      spaces: asking.ask.spaces,
      keeping: {
        oneCall: asking.ask.parallel === false && TONGUES[asking.to].callsSideBySide === true,
        jsonOnly: asking.ask.format?.kind === 'json' && TONGUES[asking.to].needsSchema === true,
      },
      hidesThinking: asking.ask.thinking === undefined || asking.ask.thinking.effort === 'none',
      functions: asking.ask.functions === true,
      dropped: asking.dropped,
      inputTokens: from === 'anthropic-messages' && stream ? estimateBytes(asking.body) : 0,
    }
  } catch (error) {
    if (error instanceof RangeError) return { cause: 'bad_json', message: 'The request body is nested too deeply.' }
    if (!(error instanceof Unexpressible)) throw error
    return { cause: 'cannot_translate', message: error.message, field: error.field }
  }
}
