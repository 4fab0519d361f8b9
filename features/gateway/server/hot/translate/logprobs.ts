import type { Raw } from '../usage/usage.ts'
import type { Logprob, LogprobsOptions } from './form.ts'
import { toObjectList, toObjectOrEmpty, rejectField, toTextOrEmpty } from './reading.ts'

const figure = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** OpenAI's list, the same in Chat and Responses; undefined for none. */
export function readOpenaiLogprobs(value: unknown): readonly Logprob[] | undefined {
  const found = toObjectList(value).map((one) => ({
    token: toTextOrEmpty(one['token']),
    logprob: figure(one['logprob']),
    top: toObjectList(one['top_logprobs']).map((other) => ({ token: toTextOrEmpty(other['token']), logprob: figure(other['logprob']) })),
  }))
  return found.length === 0 ? undefined : found
}

const bytesOf = (token: string): number[] => [...Buffer.from(token)]

export function writeOpenaiLogprobs(logprobs: readonly Logprob[]): Raw[] {
  return logprobs.map((one) => ({
    token: one.token,
    logprob: one.logprob,
    bytes: bytesOf(one.token),
    top_logprobs: one.top.map((other) => ({ ...other, bytes: bytesOf(other.token) })),
  }))
}

/** Gemini's two parallel lists. https://ai.google.dev/api/generate-content#LogprobsResult */
export function readGeminiLogprobs(result: unknown): readonly Logprob[] | undefined {
  const chosen = toObjectList(toObjectOrEmpty(result)['chosenCandidates'])
  const tops = toObjectList(toObjectOrEmpty(result)['topCandidates'])
  const one = (raw: Raw): { token: string; logprob: number } => ({ token: toTextOrEmpty(raw['token']), logprob: figure(raw['logProbability']) })
  const found = chosen.map((raw, at) => ({ ...one(raw), top: toObjectList(tops[at]?.['candidates']).map(one) }))
  return found.length === 0 ? undefined : found
}

export function writeGeminiLogprobs(logprobs: readonly Logprob[]): Raw {
  if (logprobs.length === 0) return {}
  const one = (raw: { readonly token: string; readonly logprob: number }): Raw => ({ token: raw.token, logProbability: raw.logprob })
  return {
    logprobsResult: { chosenCandidates: logprobs.map(one), topCandidates: logprobs.map((it) => ({ candidates: it.top.map(one) })) },
    avgLogprobs: logprobs.reduce((sum, it) => sum + it.logprob, 0) / logprobs.length,
  }
}

/** For dialects without log probabilities. */
export function rejectLogprobs(asked: LogprobsOptions | undefined, at: string): void {
  if (asked !== undefined) rejectField(at)
}

export function requireOneAnswer(copies: number, at: string): void {
  if (copies !== 1) rejectField(at, 'can only be 1 for this model')
}
