import { objects, type Json, type JsonObject } from '../read/json.ts'
import { readKnobs, withoutMarkers, type Knobs } from '../read/knobs.ts'
import { countTokens } from '../tokens.ts'

/** Answer of a session to a text; the same every time. */
export interface SpokenAnswer {
  readonly text: string
  readonly tool: { readonly name: string; readonly args: JsonObject } | undefined
  readonly knobs: Knobs
}

const HEARD = 'I heard you.'

/** `said` is empty for speech, which is detected but not recognised. */
export function answerSpeech(said: string, tools: readonly Json[], toolResult: string | undefined, chunk: number): SpokenAnswer {
  const knobs = readKnobs(said, { chunk })
  const plain = withoutMarkers(said)
  if (toolResult !== undefined) return { text: `The tool says: ${toolResult.slice(0, 200)}`, tool: undefined, knobs }
  const wanted = objects(tools).find((tool) => typeof tool['name'] === 'string' && plain.toLowerCase().includes(tool['name'].toLowerCase()))
  if (wanted) return { text: '', tool: { name: String(wanted['name']), args: { question: plain } }, knobs }
  const text = knobs.tokens === undefined ? (plain ? `You said: ${plain}` : HEARD) : 'la '.repeat(knobs.tokens).trim()
  return { text, tool: undefined, knobs }
}

/** Words in the pieces in which they are sent. */
export function inPieces(text: string, size: number): string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? []
  const out: string[] = []
  for (let at = 0; at < words.length; at += size) out.push(words.slice(at, at + size).join(''))
  return out
}

/** A quarter of a second a token, at least one. */
export const msOf = (text: string): number => Math.max(1, countTokens(text)) * 250
