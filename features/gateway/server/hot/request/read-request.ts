import type { Gathered } from '../body/gather.ts'
import { readBody } from '../body/read-body.ts'
import type { Call, Generate } from '../call.ts'
import { DIALECTS } from '../dialects/index.ts'
import { NO_ASKS } from '../dialects/asks.ts'
import { askForUsage } from '../dialects/openai/chat.ts'
import { mayUse } from '../admission/limits.ts'
import { withPathModel } from './path-model.ts'
import { refuse } from '../reply/reply.ts'
import { notSold } from '../settlement/sold.ts'
import { answerCount, translate } from '../translate/call.ts'
import { isHeard, isSpoken } from '../translate/index.ts'
import type { Model } from '../deps.ts'
import type { Heard } from '../translate/form.ts'
import { runInTurns } from '../body/slices.ts'
import { blankOut } from './unset.ts'
import { isProblem } from '../problem.ts'
import { splice } from '../json/notes.ts'
import type { FieldProblem } from '../problem.ts'

/** Collects the body, reads the few facts that matter and finds the model; false when the call was refused or left. */
export async function readRequest(call: Call, target: Generate): Promise<boolean> {
  call.target = target
  call.rules = DIALECTS[target.dialect]
  call.phase = 'body'
  const body = collected(call, await readBody(call))
  return body !== undefined && understand(call, target, body)
}

/** The whole body; undefined when the call was refused or left. */
export async function collect(call: Call): Promise<Buffer | undefined> {
  call.phase = 'body'
  return collected(call, await readBody(call))
}

function collected(call: Call, body: Gathered): Buffer | undefined {
  if (body === undefined || call.sent) return undefined
  call.phase = 'working'
  if (Buffer.isBuffer(body)) return body
  refuse(call, body)
  return undefined
}

/** Reads a body as one of the target's dialect. A promise where it takes several turns of the event loop, or is translated. */
export function understand(call: Call, target: Generate, body: Buffer): boolean | Promise<boolean> {
  const rules = DIALECTS[target.dialect]
  call.target = target
  call.rules = rules
  const { contentType } = call.head
  const named = target.model === '' || target.surface === 'gemini' ? body : withPathModel(body, target.model, contentType)
  if (!Buffer.isBuffer(named)) return refuseField(call, named)
  if (rules.walk === undefined) return readFacts(call, target, named)
  return runInTurns(rules.walk(named, contentType)).then(() => !call.sent && !call.gone && readFacts(call, target, named))
}

function refuseField(call: Call, { field, message }: FieldProblem): false {
  refuse(call, { cause: field === undefined ? 'bad_json' : 'bad_field', message, field })
  return false
}

function readFacts(call: Call, target: Generate, named: Buffer): boolean | Promise<boolean> {
  const facts = call.rules!.readFacts(named, target.model, target.method, call.head.contentType)
  if (isProblem(facts)) return refuseField(call, facts)
  if (facts.unset !== undefined && facts.unset.length > 0) blankOut(named, facts.unset)
  call.body = named
  call.facts = facts
  call.strip = (target.dialect === 'openai-chat' || target.dialect === 'openai-completions') && facts.stream && !facts.usageAsked
  return findModel(call, facts.model, target)
}

function findModel(call: Call, id: string, target: Generate): boolean | Promise<boolean> {
  const model = call.deps.findModel(id)
  if (model === undefined || model.lifecycle === 'retired') {
    refuse(call, { cause: 'no_model', field: 'model', message: `The model \`${id}\` does not exist or you do not have access to it.${successorOf(model)}` })
    return false
  }
  call.model = model
  if (call.apiKey!.limits !== undefined && !mayUse(call, call.apiKey!.limits, model)) return false
  if (model.dialects.has(target.dialect)) return isSold(call, model)
  if (!isHeard(target.dialect) || ![...model.dialects].some(isSpoken)) {
    refuse(call, {
      cause: 'wrong_dialect',
      field: 'model',
      message: `The model \`${id}\` is not served on ${DIALECTS[target.dialect].endpoint}. Use ${rightEndpoints(model)}.`,
    })
    return false
  }
  if (target.free) {
    answerCount(call)
    return false
  }
  return translated(call, model, target.dialect, id)
}

async function translated(call: Call, model: Model, from: Heard, id: string): Promise<boolean> {
  const refused = await translate(call, model, from, id)
  if (refused !== undefined) refuse(call, refused)
  return refused === undefined && isSold(call, model)
}

function successorOf(model: Model | undefined): string {
  if (model?.successor === undefined) return ''
  const anew = model.kind === 'embedding' ? ' Vectors of two models cannot be compared: embed anew what you have kept.' : ''
  return ` It was retired; its successor is \`${model.successor}\`.${anew}`
}

/** Refuses asks without a known price, by name, and steps on models that the key may not use. */
function isSold(call: Call, model: Model): boolean {
  const { asks } = call.facts!
  for (const step of asks.steps) {
    const other = step.model === undefined ? undefined : call.deps.findModel(step.model)
    if (other !== undefined && call.apiKey!.limits !== undefined && !mayUse(call, call.apiKey!.limits, other)) return false
  }
  const problem = asks === NO_ASKS ? undefined : notSold(call.deps, model, asks)
  if (problem !== undefined) refuse(call, { cause: 'bad_field', ...problem })
  return problem === undefined
}

function rightEndpoints(model: Model): string {
  const endpoints = [...model.dialects].map((dialect) => DIALECTS[dialect].endpoint.replace('{model}', model.id))
  return endpoints.length === 0 ? 'another model' : endpoints.join(' or ')
}

/** The body for one upstream: as it came, but for the model's name there and the usage that billing needs. */
export function bodyFor(call: Call, upstreamModel: string): Buffer {
  const facts = call.facts!
  let body = call.body
  if (call.strip) body = askForUsage(body, facts.streamOptions)
  // A repeated `model` is made the same everywhere: a parser that takes the first would serve what was not priced.
  if (facts.modelRanges.length === 0 || (facts.modelRanges.length === 1 && upstreamModel === facts.model)) return body
  if (call.strip) return withModel(body, call.rules!.readFacts(body, '', ''), upstreamModel)
  return withModel(body, facts, upstreamModel)
}

function withModel(body: Buffer, facts: ReturnType<(typeof DIALECTS)['openai-chat']['readFacts']>, upstreamModel: string): Buffer {
  if (isProblem(facts)) return body
  const text = facts.media?.isForm === true ? upstreamModel : JSON.stringify(upstreamModel)
  return splice(
    body,
    facts.modelRanges.map(({ start, end }) => ({ start, end, text })),
  )
}
