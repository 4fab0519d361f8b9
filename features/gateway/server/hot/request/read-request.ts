import type { GatheredBody } from '../body/gather.ts'
import { readBody } from '../body/read-body.ts'
import type { GatewayCall, GenerateTarget } from '../call.ts'
import { DIALECTS } from '../dialects/index.ts'
import { NO_BILLABLE_OPTIONS } from '../dialects/billable-options.ts'
import { addUsageOption } from '../dialects/openai/chat.ts'
import { checkModelAllowed } from '../admission/limits.ts'
import { sendCallRefusal } from '../reply/reply.ts'
import { findUnsoldOption } from '../settlement/sold.ts'
import { answerTokenCount, translateCall } from '../translate/call.ts'
import { isCallerDialect, isModelDialect } from '../translate/index.ts'
import type { GatewayModel } from '../deps.ts'
import type { CallerDialect } from '../translate/form.ts'
import { runInTurns } from '../body/slices.ts'
import { isProblem } from '../problem.ts'
import type { FieldProblem } from '../problem.ts'
import { spliceBody } from '../json/notes.ts'
import { moveEdges } from '../media/edges.ts'
import { isForm } from '../media/form.ts'
import { findRequestField, readRequestFields } from '../media/fields.ts'
import type { JsonMember } from '../json/scan.ts'

const QUOTE = 34,
  COLON = 58,
  COMMA = 44,
  SPACE = 32

/**
 * Removes members from their object in place: spaces replace them, so that all other bytes and their recorded positions stay valid. A name
 * written with escapes is kept, and the vendor decides about it.
 */
function blankOut(body: Buffer, members: readonly JsonMember[]): void {
  for (const { key, start, end } of members) {
    let from = findByteBefore(body, start)
    if (body[from] !== COLON) continue
    from = findByteBefore(body, from)
    const name = from - key.length - 1
    if (body[from] !== QUOTE || body[name] !== QUOTE || body.toString('latin1', name + 1, from) !== key) continue
    let to = end
    while (body[to]! <= SPACE) to++
    let first = name
    if (body[to] === COMMA) to++
    else {
      to = end
      const comma = findByteBefore(body, name)
      if (body[comma] === COMMA) first = comma
    }
    body.fill(SPACE, first, to)
  }
}

/** The last byte before this one that is not a space. */
function findByteBefore(body: Buffer, at: number): number {
  let i = at - 1
  while (body[i]! <= SPACE) i--
  return i
}

const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** Sets the body's model to the one in its path, which takes precedence as it does in the APIs whose paths name models. */
export function setPathModel(body: Buffer, model: string, contentType: string): Buffer | FieldProblem {
  // A model's name must fit into a form's header.
  if (!/^[!-~]{1,200}$/.test(model)) return { field: 'model', message: 'The model in the path is no name of a model.' }
  const fields = readRequestFields(body, contentType, ['model'], true)
  if (isProblem(fields)) return fields
  if (fields.members.filter((member) => member.key === 'model').length > 1) return { field: 'model', message: '`model` is there more than once.' }
  const at = findRequestField(fields, 'model') ?? fields.members.find((member) => member.key === 'model')
  if (at !== undefined) return replaceBytes(body, at.start, at.end, fields.isForm ? model : JSON.stringify(model))
  if (isForm(contentType)) return replaceBytes(body, 0, 0, formatModelPart(body, model))
  const open = body.indexOf(OPEN_OBJECT)
  let next = open + 1
  while (body[next]! <= 32) next++
  return replaceBytes(body, open + 1, open + 1, `"model":${JSON.stringify(model)}${body[next] === CLOSE_OBJECT ? '' : ','}`)
}

/** Inserts a separate part before the others. */
function formatModelPart(body: Buffer, model: string): string {
  const boundary = body.toString('latin1', body.indexOf('--'), body.indexOf('\r\n', body.indexOf('--')))
  return `${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\n${model}\r\n`
}

function replaceBytes(body: Buffer, start: number, end: number, text: string): Buffer {
  const made = spliceBody(body, [{ start, end, text }])
  moveEdges(body, made, { start, end, madeEnd: start + Buffer.byteLength(text) })
  return made
}

/** Collects the body, reads the relevant facts and finds the model; returns false if the call was refused or its client disconnected. */
export async function readCallRequest(call: GatewayCall, target: GenerateTarget): Promise<boolean> {
  call.target = target
  call.rules = DIALECTS[target.dialect]
  call.phase = 'body'
  const body = acceptBody(call, await readBody(call))
  return body !== undefined && interpretBody(call, target, body)
}

/** Returns the whole body; undefined if the call was refused or its client disconnected. */
export async function collectCallBody(call: GatewayCall): Promise<Buffer | undefined> {
  call.phase = 'body'
  return acceptBody(call, await readBody(call))
}

function acceptBody(call: GatewayCall, body: GatheredBody): Buffer | undefined {
  if (body === undefined || call.sent) return undefined
  call.phase = 'working'
  if (Buffer.isBuffer(body)) return body
  sendCallRefusal(call, body)
  return undefined
}

/** Reads a body in the target's dialect. Returns a promise if it takes several turns of the event loop, or is translated. */
export function interpretBody(call: GatewayCall, target: GenerateTarget, body: Buffer): boolean | Promise<boolean> {
  const rules = DIALECTS[target.dialect]
  call.target = target
  call.rules = rules
  const { contentType } = call.head
  const named = target.model === '' || target.surface === 'gemini' ? body : setPathModel(body, target.model, contentType)
  if (!Buffer.isBuffer(named)) return refuseField(call, named)
  if (rules.walk === undefined) return readFacts(call, target, named)
  return runInTurns(rules.walk(named, contentType)).then(() => !call.sent && !call.gone && readFacts(call, target, named))
}

function refuseField(call: GatewayCall, { field, message }: FieldProblem): false {
  sendCallRefusal(call, { cause: field === undefined ? 'bad_json' : 'bad_field', message, field })
  return false
}

function readFacts(call: GatewayCall, target: GenerateTarget, named: Buffer): boolean | Promise<boolean> {
  const facts = call.rules!.readFacts(named, target.model, target.method, call.head.contentType)
  if (isProblem(facts)) return refuseField(call, facts)
  if (facts.unset !== undefined && facts.unset.length > 0) blankOut(named, facts.unset)
  call.body = named
  call.facts = facts
  call.strip = (target.dialect === 'openai-chat' || target.dialect === 'openai-completions') && facts.stream && !facts.usageAsked
  return resolveModel(call, facts.model, target)
}

function resolveModel(call: GatewayCall, id: string, target: GenerateTarget): boolean | Promise<boolean> {
  const model = call.deps.findModel(id)
  if (model === undefined || model.lifecycle === 'retired') {
    sendCallRefusal(call, {
      cause: 'no_model',
      field: 'model',
      message: `The model \`${id}\` does not exist or you do not have access to it.${describeSuccessor(model)}`,
    })
    return false
  }
  call.model = model
  if (call.apiKey!.limits !== undefined && !checkModelAllowed(call, call.apiKey!.limits, model)) return false
  if (model.dialects.has(target.dialect)) return checkSoldOptions(call, model)
  if (!isCallerDialect(target.dialect) || ![...model.dialects].some(isModelDialect)) {
    sendCallRefusal(call, {
      cause: 'wrong_dialect',
      field: 'model',
      message: `The model \`${id}\` is not served on ${DIALECTS[target.dialect].endpoint}. Use ${listModelEndpoints(model)}.`,
    })
    return false
  }
  if (target.free) {
    answerTokenCount(call)
    return false
  }
  return translateForModel(call, model, target.dialect, id)
}

async function translateForModel(call: GatewayCall, model: GatewayModel, from: CallerDialect, id: string): Promise<boolean> {
  const refused = await translateCall(call, model, from, id)
  if (refused !== undefined) sendCallRefusal(call, refused)
  return refused === undefined && checkSoldOptions(call, model)
}

function describeSuccessor(model: GatewayModel | undefined): string {
  if (model?.successor === undefined) return ''
  const reembed = model.kind === 'embedding' ? ' Vectors of two models cannot be compared: embed anew what you have kept.' : ''
  return ` It was retired; its successor is \`${model.successor}\`.${reembed}`
}

/** Refuses options without a known price, by name, and steps on models that the key may not use. */
function checkSoldOptions(call: GatewayCall, model: GatewayModel): boolean {
  const { asks } = call.facts!
  for (const step of asks.steps) {
    const other = step.model === undefined ? undefined : call.deps.findModel(step.model)
    if (other !== undefined && call.apiKey!.limits !== undefined && !checkModelAllowed(call, call.apiKey!.limits, other)) return false
  }
  const problem = asks === NO_BILLABLE_OPTIONS ? undefined : findUnsoldOption(call.deps, model, asks)
  if (problem !== undefined) sendCallRefusal(call, { cause: 'bad_field', ...problem })
  return problem === undefined
}

function listModelEndpoints(model: GatewayModel): string {
  const endpoints = [...model.dialects].map((dialect) => DIALECTS[dialect].endpoint.replace('{model}', model.id))
  return endpoints.length === 0 ? 'another model' : endpoints.join(' or ')
}

/** Builds the body for one upstream: as received, except for the model's name there and the usage that billing needs. */
export function buildUpstreamBody(call: GatewayCall, upstreamModel: string): Buffer {
  const facts = call.facts!
  let body = call.body
  if (call.strip) body = addUsageOption(body, facts.streamOptions)
  // All copies of a repeated `model` are set: a parser that takes the first would serve a model that was not priced.
  if (facts.modelRanges.length === 0 || (facts.modelRanges.length === 1 && upstreamModel === facts.model)) return body
  if (call.strip) return setModelName(body, call.rules!.readFacts(body, '', ''), upstreamModel)
  return setModelName(body, facts, upstreamModel)
}

function setModelName(body: Buffer, facts: ReturnType<(typeof DIALECTS)['openai-chat']['readFacts']>, upstreamModel: string): Buffer {
  if (isProblem(facts)) return body
  const text = facts.media?.isForm === true ? upstreamModel : JSON.stringify(upstreamModel)
  return spliceBody(
    body,
    facts.modelRanges.map(({ start, end }) => ({ start, end, text })),
  )
}
