import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RawData, WebSocket } from 'ws'
import type { Breakers } from '../choice/breakers.ts'
import { readTopLevel } from '../json/members.ts'
import { geminiOptionRules, toSnakeCase } from '../dialects/gemini/billable-options.ts'
import { isProblem } from '../problem.ts'
import type { RequestRefusal } from '../errors.ts'
import { visitObjects, hasMemberValue, filterMembers } from '../json/elements.ts'
import { scanObject } from '../json/scan.ts'
import { shareNotes } from '../json/notes.ts'
import type { JsonMember } from '../json/scan.ts'
import { isRaw } from '../usage/usage.ts'
import { readFrameMembersIn, readFrameMembers, parseFrameText, parseFrameValue } from './frames.ts'
import type { FrameMember } from './frames.ts'
import type { SocketSession } from './hub.ts'
import { createLiveProtocol } from './live.ts'
import { listForwardedHeaders, prepareSession, findSocketModel } from './prepare.ts'
import { NO_LOAD } from './rules.ts'
import { toFrameBuffer } from './send-frames.ts'
import { isLargeFrame, weighFrame } from './intake/weigh-frame.ts'
import type { AuthenticatedHandshake } from './handshake.ts'

const SETUP_MS = 10_000
const COMMA = Buffer.from(',')
/** The longest that a model of Live has. https://ai.google.dev/gemini-api/docs/live-api/capabilities */
const WINDOW_TOKENS = 131_072
const CLIENT_TOOLS: ReadonlySet<string> = new Set(['functionDeclarations', toSnakeCase('functionDeclarations')])

/** Gemini Live: the handshake says who, the first frame says which model; until then nothing is asked of anybody. */
export function openLive(visit: AuthenticatedHandshake, breakers: Breakers, client: WebSocket): SocketSession {
  const since = Date.now()
  let inner: SocketSession | undefined
  let asked = false
  const leaving = new AbortController()
  client.on('error', () => undefined)
  client.once('close', () => leaving.abort())
  /** Frames received while the session is opening; the socket is paused, but a few may already be on their way. */
  const early: [RawData, boolean][] = []
  const listen = (data: RawData, isBinary: boolean): void => {
    if (asked) {
      early.push([data, isBinary])
      return
    }
    asked = true
    client.pause()
    startLive(visit, breakers, client, toFrameBuffer(data), leaving.signal).then(
      (session) => {
        inner = session
        client.removeListener('message', listen)
        for (const [later, binary] of early) client.emit('message', later, binary)
        client.resume()
      },
      (error: unknown) => {
        visit.deps.log.error({ error, requestId: visit.requestId }, 'live session failed')
        client.close(1011, 'UNAVAILABLE')
        client.resume()
      },
    )
  }
  client.on('message', listen)
  return {
    socket: client,
    look(now) {
      if (inner !== undefined) inner.look(now)
      else if (!asked && now - since >= SETUP_MS) client.close(1008, 'INVALID_ARGUMENT: the first message must be `setup`.')
    },
    drain() {
      if (inner === undefined) client.close(1001, 'UNAVAILABLE: this server is restarting. Connect again.')
      else inner.drain()
    },
    isOver: () => inner === undefined || inner.isOver(),
  }
}

async function startLive(
  visit: AuthenticatedHandshake,
  breakers: Breakers,
  client: WebSocket,
  frame: Buffer,
  signal: AbortSignal,
): Promise<SocketSession | undefined> {
  const problem = await weighFrame(frame)
  if (problem !== undefined) {
    client.close(1007, trimReason(`INVALID_ARGUMENT: ${problem.message}`))
    return undefined
  }
  const setup = readFrameMembers(frame)?.findLast((piece) => piece.key === 'setup')
  const members = setup === undefined ? undefined : readFrameMembersIn(frame, setup)
  const name = members === undefined ? undefined : parseFrameText(members, 'model')
  if (members === undefined || name === undefined) {
    client.close(1007, 'INVALID_ARGUMENT: the first message must be `setup` and name a model.')
    return undefined
  }
  const model = findSocketModel(visit, name.replace(/^models\//, ''), 'gemini-live')
  if ('cause' in model) {
    client.close(1008, `${name.slice(0, 50)} is not found, or is not supported for bidiGenerateContent.`)
    return undefined
  }
  if (isLargeFrame(frame)) {
    await nextTurn()
    shareNotes(frame, setup!.value, setup!.start)
  }
  const unsold = findUnsoldField(setup!)
  if (unsold !== undefined) {
    client.close(1007, trimReason(`INVALID_ARGUMENT: ${unsold}`))
    return undefined
  }
  const config = parseFrameValue(members, 'generationConfig')
  const cap = isRaw(config) && typeof config['maxOutputTokens'] === 'number' ? config['maxOutputTokens'] : undefined
  const version = /\.(v1\w*)\./.exec(visit.located.path)?.[1] ?? 'v1beta'
  const ready = await prepareSession({
    visit,
    model,
    protocol: createLiveProtocol(cap),
    breakers,
    path: () => `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`,
    headers: listForwardedHeaders(visit),
    load: { ...NO_LOAD, text: frame.length, audio: isResumed(members) ? (model.contextTokens ?? WINDOW_TOKENS) : 0 },
    signal,
  })
  if (!('start' in ready)) {
    client.close(ready.cause === 'no_model' ? 1008 : 1011, formatReason(ready))
    return undefined
  }
  return ready.start(client, (route) =>
    route.upstreamModel === model.id && name.endsWith(model.id) ? frame : setSetupModel(frame, setup!, members, route.upstreamModel),
  )
}

/**
 * Field of the setup that we do not sell, if any. Searches in a session are not counted, and the output of the vendor's own tools is
 * unpredictable: only client-side tools are sold, and no other extras beyond tokens.
 */
function findUnsoldField({ value: setup }: FrameMember): string | undefined {
  const found = readTopLevel(setup, geminiOptionRules.wanted)
  if (!Array.isArray(found)) return undefined
  const asks = geminiOptionRules.read(setup, found)
  if (isProblem(asks)) return asks.message
  let hosted: string | undefined
  for (const list of filterMembers(setup, found, 'tools'))
    visitObjects(setup, list, undefined, (tool) => {
      hosted ??= tool.find((member) => hasMemberValue(setup, member) && !CLIENT_TOOLS.has(member.key))?.key
    })
  if (hosted !== undefined) return `Only \`functionDeclarations\` is sold in Live sessions. Leave \`${hosted.slice(0, 30)}\` out.`
  return asks.factors.length > 0 ? '`serviceTier` is not sold in Live sessions. Leave it out.' : undefined
}

/** True if the session resumes an earlier one, whose history is stored at the vendor and may fill the window with speech. */
function isResumed(members: readonly FrameMember[]): boolean {
  return members.some(({ key, value }) => (key === 'sessionResumption' || key === toSnakeCase('sessionResumption')) && hasHandle(value))
}
function hasHandle(resumption: Buffer): boolean {
  const found: JsonMember[] = []
  scanObject(resumption, 0, resumption.length, ['handle'], found)
  return found.some(({ start, end }) => !/^(?:null|"")$/.test(resumption.toString('latin1', start, Math.min(end, start + 5))))
}

/** The setup as it came, but for the model's name at this upstream. */
function setSetupModel(frame: Buffer, setup: FrameMember, members: readonly FrameMember[], name: string): Buffer {
  const rest = members.filter((member) => member.key !== 'model').flatMap((member) => [COMMA, member.piece])
  const model = Buffer.from(`{"model":${JSON.stringify(`models/${name}`)}`)
  return Buffer.concat([frame.subarray(0, setup.start), model, ...rest, Buffer.from('}'), frame.subarray(setup.end)])
}

function formatReason(refused: RequestRefusal): string {
  const word = refused.cause === 'no_money' ? 'RESOURCE_EXHAUSTED' : refused.cause === 'no_model' ? 'NOT_FOUND' : 'UNAVAILABLE'
  return trimReason(`${word}: ${refused.message}`)
}

/** A reason has 123 bytes at most. */
const trimReason = (reason: string): string => Buffer.from(reason).subarray(0, 120).toString().replace(/�+$/, '')
