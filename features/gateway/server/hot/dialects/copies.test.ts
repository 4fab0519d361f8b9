import { expect, it } from 'vitest'
import { geminiGenerateDialect } from './gemini/gemini.ts'
import { openaiChatDialect } from './openai/chat.ts'

const copies = (rules: Pick<typeof geminiGenerateDialect, 'readFacts'>, body: string) =>
  (rules.readFacts(Buffer.from(body), 'm', '') as { copies: number }).copies

// Parsers may use any of several repeated members: the hold covers the most expensive one.
it.each([
  ['', 1],
  ['"n":null', 1],
  ['"n":3', 3],
  ['"n":null,"n":100', 100],
  ['"n":100,"n":null', 100],
  ['"n":"x","n":100', 100],
  ['"n":100,"n":1', 100],
  ['"\\u006e":100', 100],
  ['"n":"7"', 7],
  ['"n":1e2', 100],
  ['"n":1e999', 128],
  ['"n":0', 1],
  ['"n":-5', 1],
])('chat: %s asks for %i', (member, most) => expect(copies(openaiChatDialect, `{"model":"m"${member && ','}${member},"messages":[]}`)).toBe(most))

it.each([
  ['"candidateCount":8', 8],
  ['"candidateCount":"8"', 8],
  ['"candidateCount":"\\u0038"', 8],
  ['"candidateCount":null,"candidate_count":8', 8],
  ['"candidateCount":8,"candidateCount":1', 8],
  ['"candidateCount":null', 1],
])('Gemini: %s asks for %i', (member, most) => expect(copies(geminiGenerateDialect, `{"contents":[],"generationConfig":{${member}}}`)).toBe(most))
