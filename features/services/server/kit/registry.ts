import { fail } from '#platform/shared/errors.ts'
import { registerOrderKind } from '#features/payments/server/door.ts'
import type { OrderKind } from '#features/payments/server/door.ts'
import type { ServiceSpec } from './spec.ts'
import { LANGS, createTextLookup } from '#platform/shared/texts.ts'

const specs = new Map<string, ServiceSpec>()

/** Registers a service; call it once, before the server listens. Throws if its states are inconsistent. */
export function registerServiceSpec(spec: ServiceSpec, kind: OrderKind | undefined): void {
  const known = specs.get(spec.name)
  if (known === spec) return
  if (known) throw new Error(`service ${spec.name} is there already`)
  const faults = findSpecProblems(spec)
  if (faults.length) throw new Error(`service ${spec.name}: ${faults.join('; ')}`)
  specs.set(spec.name, spec)
  if (kind) registerOrderKind(kind)
}

export function requireServiceSpec(service: string): ServiceSpec {
  return specs.get(service) ?? fail('SERVICE_UNKNOWN')
}

export function listServiceSpecs(): readonly ServiceSpec[] {
  return [...specs.values()]
}

/** Finds faults in a spec: states without a valid transition, unknown causes, missing texts. */
export function findSpecProblems(spec: ServiceSpec): string[] {
  const faults: string[] = []
  const { states, causes, texts } = spec
  const isEnd = (name: string) => states[name]?.phase === 'done' || states[name]?.phase === 'failed'
  if (!states[spec.first]) faults.push(`first state ${spec.first} is unknown`)
  const cause = (name: string, at: string) => causes[name] ?? faults.push(`${at} names the unknown cause ${name}`)
  for (const [name, state] of Object.entries(states)) {
    const targets = [...state.to, ...(state.late ? [state.late.to] : []), ...(state.expires ? [state.expires.to] : []), ...(state.desk?.ends ?? [])]
    for (const to of targets) if (!states[to]) faults.push(`${name} goes to the unknown ${to}`)
    for (const to of targets) if (!state.to.includes(to)) faults.push(`${name} does not list ${to}`)
    for (const way of [state.late, state.expires]) if (way) cause(way.cause, name)
    if ((state.late === undefined) !== (state.within === undefined)) faults.push(`${name} has a limit without a way on, or a way on without a limit`)
    if (state.phase === 'using' && !state.expires) faults.push(`${name} is used for ever`)
    if (state.phase === 'waiting' && !state.work && !state.late && !state.desk) faults.push(`${name} waits for nothing`)
    if (state.phase === 'failed' && state.to.length) faults.push(`${name} is a failed state that leads on`)
  }
  const seen = new Set<string>()
  const reach = (name: string): void => {
    if (seen.has(name) || !states[name]) return
    seen.add(name)
    for (const to of states[name].to) reach(to)
  }
  reach(spec.first)
  for (const name of Object.keys(states)) if (!seen.has(name)) faults.push(`${name} is never reached`)
  if (![...seen].some(isEnd)) faults.push('nothing ends it')
  const [stateWord, causeWord] = [createTextLookup(texts, 'state_'), createTextLookup(texts, 'cause_')]
  for (const lang of LANGS) {
    if (!('title' in texts[lang])) faults.push(`${lang} lacks a title`)
    for (const name of Object.keys(states)) if (stateWord(lang, name) === undefined) faults.push(`${lang} lacks a word for state ${name}`)
    for (const name of Object.keys(causes)) if (causeWord(lang, name) === undefined) faults.push(`${lang} lacks a word for cause ${name}`)
  }
  return faults
}
