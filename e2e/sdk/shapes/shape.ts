/** A request shape that some client sends, named by its content rather than by the client. */
export interface RequestShape {
  readonly name: string
  /** The request's dialect: native with that vendor's model and translated for the two others. */
  readonly vendor: ShapeVendor
  readonly path: (model: string) => string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body: (model: string) => object | Uint8Array<ArrayBuffer> | string
  /** Vendors whose models refuse the shape, because the response would differ in meaning. All others accept it. */
  readonly refusedAt: readonly ShapeVendor[]
}

export const SHAPE_VENDORS = ['openai', 'anthropic', 'google'] as const
export type ShapeVendor = (typeof SHAPE_VENDORS)[number]

export const SHAPE_QUESTION = 'What is a ledger?'
export const SHAPE_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
export const SHAPE_WEATHER_SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
export const buildUserMessage = (content: unknown = SHAPE_QUESTION): object => ({ role: 'user', content })

type ExtraMembers = Readonly<Record<string, unknown>>
type ShapeMaker = (
  name: string,
  more?: ExtraMembers,
  refusedAt?: readonly ShapeVendor[],
  over?: Partial<Pick<RequestShape, 'path' | 'headers' | 'body'>>,
) => RequestShape

const createShapeMaker =
  (vendor: ShapeVendor, path: RequestShape['path'], base: (model: string) => object): ShapeMaker =>
  (name, more = {}, refusedAt = [], over = {}) => ({ name, vendor, path, body: (model) => ({ ...base(model), ...more }), refusedAt, ...over })

export const buildChatShape = createShapeMaker(
  'openai',
  () => '/v1/chat/completions',
  (model) => ({ model, messages: [buildUserMessage()] }),
)
export const buildResponsesShape = createShapeMaker(
  'openai',
  () => '/v1/responses',
  (model) => ({ model, input: SHAPE_QUESTION }),
)
export const buildCompletionsShape = createShapeMaker(
  'openai',
  () => '/v1/completions',
  (model) => ({ model, prompt: SHAPE_QUESTION }),
)
export const buildMessagesShape = createShapeMaker(
  'anthropic',
  () => '/v1/messages',
  (model) => ({ model, max_tokens: 2_048, messages: [buildUserMessage()] }),
)
export const buildGeminiShape = createShapeMaker(
  'google',
  (model) => `/v1beta/models/${model}:generateContent`,
  () => ({ contents: [{ role: 'user', parts: [{ text: SHAPE_QUESTION }] }] }),
)
