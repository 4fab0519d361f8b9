import { isRaw } from '../usage/usage.ts'
import { readFrameMembers, parseFrameText, readFrameType, parseFrameValue } from './frames.ts'

/** A `response.create`, parsed as far as this connection needs; the rest passes unchanged. */
export interface ResponseCreate {
  readonly lane: string | undefined
  readonly bytes: number
  readonly previous: string | undefined
  /** False for a warm-up, which only stores the input. */
  readonly generate: boolean
  /** The vendor stores responses, so it may have one that this connection lacks. */
  readonly stored: boolean
  readonly model: string
  readonly input: Buffer | undefined
  /** Builds the body of the HTTP call; `items` replaces the frame's own reference and input. */
  body(items: Buffer | undefined): Buffer
}

export interface CreateProblem {
  readonly problem: Buffer
  readonly lane: string | undefined
}

/** Members of the envelope and of HTTP that the vendor's body does not accept. */
const ENVELOPE = new Set(['type', 'stream_id', 'generate', 'stream', 'background'])
const LANE_LENGTH = 256
const COMMA = Buffer.from(',')

export function readCreate(frame: Buffer, type: string): ResponseCreate | CreateProblem {
  const pieces = readFrameMembers(frame)
  if (pieces === undefined)
    return { problem: buildErrorFrame(400, 'invalid_request_error', 'invalid_json', 'The frame is not a JSON object.'), lane: undefined }
  const lane = parseFrameText(pieces, 'stream_id')?.slice(0, LANE_LENGTH)
  if (type === 'response.steer')
    return { problem: buildSteerRefusal(parseFrameText(pieces, 'previous_response_id') ?? '', parseFrameValue(pieces, 'input')), lane }
  if (type !== 'response.create')
    return {
      problem: buildErrorFrame(400, 'invalid_request_error', 'invalid_event', `Unknown event type \`${type}\`. Send \`response.create\`.`, 'type'),
      lane,
    }
  if (parseFrameValue(pieces, 'background') === true)
    return {
      problem: buildErrorFrame(400, 'invalid_request_error', 'unsupported_parameter', 'Background responses are not possible on a connection.', 'background'),
      lane,
    }
  return {
    lane,
    bytes: frame.length,
    previous: parseFrameText(pieces, 'previous_response_id'),
    generate: parseFrameValue(pieces, 'generate') !== false,
    stored: parseFrameValue(pieces, 'store') !== false,
    model: parseFrameText(pieces, 'model') ?? '',
    input: pieces.findLast((piece) => piece.key === 'input')?.value,
    body(items) {
      const parts: Buffer[] = [Buffer.from('{"stream":true')]
      for (const { key, piece } of pieces) {
        if (ENVELOPE.has(key) || (items !== undefined && (key === 'input' || key === 'previous_response_id'))) continue
        parts.push(COMMA, piece)
      }
      if (items !== undefined) parts.push(Buffer.from(',"input":['), items, Buffer.from(']'))
      parts.push(Buffer.from('}'))
      return Buffer.concat(parts)
    },
  }
}

/** An error of the protocol: HTTP's status and body in one event. */
export function buildErrorFrame(status: number, type: string, code: string, message: string, param: string | null = null): Buffer {
  return Buffer.from(JSON.stringify({ type: 'error', status, error: { type, code, message, param } }))
}

/** The HTTP refusal as an event. */
export function buildRefusalFrame(status: number, body: Buffer, retryAfter: string | undefined): Buffer {
  let error: unknown
  try {
    const parsed: unknown = JSON.parse(body.toString())
    error = isRaw(parsed) ? parsed['error'] : undefined
  } catch {
    error = undefined
  }
  if (!isRaw(error)) return buildErrorFrame(status, 'server_error', 'upstream_failed', 'The request failed.')
  return Buffer.from(JSON.stringify({ type: 'error', status, error, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }) }))
}

function buildSteerRefusal(previous: string, input: unknown): Buffer {
  const error = {
    type: 'invalid_request_error',
    code: 'steering_not_supported',
    message: 'Steering is not supported here. Send the input with the next response.create.',
  }
  return Buffer.from(
    JSON.stringify({ type: 'response.steer.failed', sequence_number: 0, error, steer: { previous_response_id: previous, input: input ?? '' } }),
  )
}

/** Marks the events of a lane with its id; the rest of each event is unchanged. */
export function addLane(json: Buffer, lane: string | undefined): Buffer {
  if (lane === undefined || json[0] !== 123) return json
  const rest = json.subarray(1)
  return Buffer.concat([Buffer.from(`{"stream_id":${JSON.stringify(lane)}${rest[0] === 125 ? '' : ','}`), rest])
}

export function isTerminal(json: Buffer): boolean {
  const type = readFrameType(json)
  return type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed'
}

/** A warm-up is answered at once: no model is called and nothing is charged. */
export function buildWarmUpEvents(id: string, model: string): Buffer[] {
  const response = (status: string) => ({
    id,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: null,
    incomplete_details: null,
    model,
    output: [],
    usage:
      status === 'completed'
        ? { input_tokens: 0, input_tokens_details: { cached_tokens: 0 }, output_tokens: 0, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 0 }
        : null,
  })
  return [
    { type: 'response.created', sequence_number: 0, response: response('in_progress') },
    { type: 'response.completed', sequence_number: 1, response: response('completed') },
  ].map((event) => Buffer.from(JSON.stringify(event)))
}
