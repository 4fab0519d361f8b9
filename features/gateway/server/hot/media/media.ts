import type { GatewayModel, Provenance } from '../deps.ts'
import type { Usage } from '../usage/usage.ts'

/** Format of the answer, as far as the request determines it. */
export type AnswerFormat = 'json' | 'events' | 'audio' | 'text'

/** Facts of a request that is not measured by text tokens alone. Zero where not applicable. */
export interface Media {
  readonly isForm: boolean
  readonly answer: AnswerFormat
  /** Characters to be converted to speech, exact. */
  readonly characters: number
  /** Maximum tokens of the request's text: one per byte, and a query once per document. */
  readonly textTokens: number
  /** Length of the audio, from its headers and frames; undefined if they do not specify it. */
  readonly seconds: number | undefined
  /** Maximum plausible length, from its bytes. */
  readonly mostSeconds: number
  /** Maximum plausible duration of the spoken answer. */
  readonly mostSpoken: number
  /** Format of the spoken answer. */
  readonly format: string
  readonly images: number
  /** Usual tokens of one image of that size and quality. */
  readonly imageTokens: number
  /** Additional tokens of previews and planning, for all images. */
  readonly imageExtra: number
  readonly inputImages: number
  /** Number of documents to be ranked. */
  readonly documents: number
}

export const NO_MEDIA: Media = {
  isForm: false,
  answer: 'json',
  characters: 0,
  textTokens: 0,
  seconds: undefined,
  mostSeconds: 0,
  mostSpoken: 0,
  format: '',
  images: 0,
  imageTokens: 0,
  imageExtra: 0,
  inputImages: 0,
  documents: 0,
}

/** A binary answer: its beginning and end, and its size in bytes. */
export interface AnswerSample {
  readonly bytes: Buffer
  readonly total: number
}

export interface MeasuredUsage {
  readonly usage: Usage
  readonly provenance: Provenance
}

/** Hold and bill of a dialect's calls that are not billed by text tokens alone. */
export interface MediaRules {
  /** Maximum plausible usage of the call: its price is the hold. */
  readonly most: (media: Media, model: GatewayModel) => Usage
  /**
   * The vendor's usage in the units of the model's price; without one, the usage derived from the request and the answer, exact
   * (`counted`) or not (`estimated`). For complete answers.
   */
  readonly measure: (media: Media, model: GatewayModel, usage: Usage | undefined, answer: AnswerSample | undefined) => MeasuredUsage
}
