/** A way in which some client asks, by what it does and not by who does it. */
export interface Shape {
  readonly name: string
  /** The dialect that it is written in: it is native at that vendor's model and translated for the two others. */
  readonly vendor: Vendor
  readonly path: (model: string) => string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body: (model: string) => object | Uint8Array<ArrayBuffer> | string
  /** At whose models it is refused, since the answer would be another one. Everywhere else it is answered. */
  readonly refusedAt: readonly Vendor[]
}

export const VENDORS = ['openai', 'anthropic', 'google'] as const
export type Vendor = (typeof VENDORS)[number]

export const QUESTION = 'What is a ledger?'
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
export const WEATHER = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
export const user = (content: unknown = QUESTION): object => ({ role: 'user', content })

type More = Readonly<Record<string, unknown>>
type Maker = (name: string, more?: More, refusedAt?: readonly Vendor[], over?: Partial<Pick<Shape, 'path' | 'headers' | 'body'>>) => Shape

const maker =
  (vendor: Vendor, path: Shape['path'], base: (model: string) => object): Maker =>
  (name, more = {}, refusedAt = [], over = {}) => ({ name, vendor, path, body: (model) => ({ ...base(model), ...more }), refusedAt, ...over })

export const chat = maker(
  'openai',
  () => '/v1/chat/completions',
  (model) => ({ model, messages: [user()] }),
)
export const responses = maker(
  'openai',
  () => '/v1/responses',
  (model) => ({ model, input: QUESTION }),
)
export const completions = maker(
  'openai',
  () => '/v1/completions',
  (model) => ({ model, prompt: QUESTION }),
)
export const messages = maker(
  'anthropic',
  () => '/v1/messages',
  (model) => ({ model, max_tokens: 2_048, messages: [user()] }),
)
export const gemini = maker(
  'google',
  (model) => `/v1beta/models/${model}:generateContent`,
  () => ({ contents: [{ role: 'user', parts: [{ text: QUESTION }] }] }),
)
